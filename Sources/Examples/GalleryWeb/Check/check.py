"""Scrolls the gallery in Chromium, as somebody would, and holds what page and server say against each other.

    check.py PROGRAM FOLDER PHOTOS OUTPUT

PROGRAM is `gallery-web`; PHOTOS photos are made in FOLDER where they are not there yet; screenshots and figures go to OUTPUT.
Ends with 1 if something is not as it should be.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

from browser import Browser

# The number in a square tile's strip, as IdentityStrip reads it: twelve cells in four greys across its width, two of which check the
# others. -1 where they don't.
READ_STRIP = '''canvas => {
    const {width, height} = canvas;
    const [top, rows] = [Math.floor(height / 18), Math.max(1, Math.floor(height / 18))];
    window.copy ??= document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    [copy.canvas.width, copy.canvas.height] = [width, height];
    copy.drawImage(canvas, 0, 0);
    const pixels = copy.getImageData(0, top, width, rows).data;
    const levels = [24, 92, 160, 228], digits = [];
    for (let cell = 0; cell < 12; cell += 1) {
        let sum = 0, count = 0;
        for (let y = 0; y < rows; y += 1)
            for (let x = Math.floor((cell + 0.3) * width / 12); x <= (cell + 0.7) * width / 12; x += 1) {
                sum += pixels[4 * (y * width + x) + 1];
                count += 1;
            }
        const level = sum / count;
        digits.push(levels.reduce((best, other, index) => Math.abs(other - level) < Math.abs(levels[best] - level) ? index : best, 0));
    }
    const check = digits.slice(0, 10).reduce((sum, digit, index) => sum + digit * (2 * index + 3), 5);
    if (digits[10] !== (check & 3) || digits[11] !== (check >> 2 & 3)) return -1;
    return digits.slice(0, 10).reduceRight((number, digit) => number * 4 + digit, 0);
}'''

# Of each tile with a picture: its photo's name, the name at its place in the list, and the number in its pixels.
SHOWN = f'''(() => {{
    const read = {READ_STRIP};
    return [...document.querySelectorAll('.tile')].filter(tile => ['degraded', 'final'].includes(tile.dataset.state))
        .map(tile => [tile.picture.photo.name, read(tile.picture.canvas), tile.dataset.state]);
}})()'''

IN_VIEW = '''[...document.querySelectorAll('.tile')].filter(tile => {
    const box = tile.getBoundingClientRect(), view = scroller.getBoundingClientRect();
    return box.bottom > view.top && box.top < view.bottom && tile.picture.position < list.count;
})'''
AT_REST = f'''(() => {{ const tiles = {IN_VIEW};
    return tiles.length > 5 && tiles.every(tile => tile.dataset.state === 'final') && queue.active === 0; }})()'''


class Check:
    def __init__(self, server, address, folder, output):
        self.server, self.address, self.folder, self.output = server, address, folder, output
        self.browser = Browser()
        self.failures, self.read, self.seen = [], 0, {'degraded': 0, 'final': 0}

    def expect(self, condition, text):
        print(f"  {'ok  ' if condition else 'FAIL'} {text}")
        if not condition:
            self.failures.append(text)

    def look(self):
        """Reads every picture that is shown."""
        for name, number, state in self.browser.value(SHOWN):
            self.read += 1
            self.seen[state] += 1
            if number != int(re.search(r'\d+', name).group()):
                self.expect(False, f'{name} shows photo {number} ({state})')

    def rest(self, text):
        time_taken = self.browser.until(AT_REST)
        self.look()
        self.expect(time_taken is not None, f'{text}: every tile in view is final' +
                    ('' if time_taken is None else f' after {time_taken * 1000:.0f} ms'))

    def counts(self):
        """Returns both sides' counts, once the server has nothing under way and no more news."""
        self.browser.until('served.active === 0 && queue.active === 0')
        time.sleep(0.6)
        return self.browser.value('counts'), self.browser.value('served')

    def run(self):
        self.browser.open(self.address)
        for step in (self.opening, self.scrolling, self.leaving, self.joining, self.changing, self.reading, self.looks):
            print(step.__name__)
            step()
        self.expect(self.browser.errors == [], f'no error in the console {self.browser.errors[:3] or ""}')
        self.expect(self.read > 500 and self.seen['final'] > 0,
                    f"{self.read} pictures read back, {self.seen['degraded']} of them degraded: each its own photo's")
        return 1 if self.failures else 0

    def opening(self):
        self.rest('opened')

    def scrolling(self):
        """Flings with a wheel: down, a reversal, and a rest. The server stands still during the second one down, so that whatever is
        scrolled past is still wanted of it: by itself it is mostly done before the page lets go."""
        for fling, sign, stands_still in ((60, 1, False), (15, -1, False), (60, 1, True), (25, -1, False)):
            if stands_still:
                self.server.send_signal(signal.SIGSTOP)
            try:
                for step in range(fling):
                    self.browser.wheel(sign * 900 * (1 - step / fling) ** 2 + sign * 20)
                    if step % 3 == 0:
                        self.look()
            finally:
                self.server.send_signal(signal.SIGCONT)
            self.rest(f'a fling {"down" if sign > 0 else "up"}{", the server standing still" if stands_still else ""}')
        page, server = self.counts()
        ended = server['memory'] + server['file'] + server['cancelled'] + server['failed']
        print(f'  page {page}\n  server {server}')
        self.expect(page['aborted'] > 0 and server['cancelled'] > 0,
                    f"cancelled: {page['aborted']} by the page, {server['cancelled']} loads at the server")
        self.expect(server['cancelled'] <= page['aborted'], 'the server cancelled nothing that the page had not aborted')
        self.expect(page['started'] == page['final'] + page['aborted'] + page['failed'] + page['gone'],
                    'each request of the page has one end')
        self.expect(server['started'] == ended and server['active'] == 0 and server['decoding'] == 0,
                    'each load of the server has one end')
        self.expect(page['final'] <= server['memory'] + server['file'] and server['started'] <= page['started'],
                    'what the page shows the server has sent')
        self.expect(page['failed'] == 0 and server['failed'] == 0, 'no load failed')

    def leaving(self):
        """Clients that ask for a large picture and are gone."""
        tags = self.browser.value("fetch('list/0/40').then(answer => answer.json()).then(list => list.photos.map(photo => photo[1]))")
        before = self.counts()[1]
        host, port = re.match(r'http://([\d.]+):(\d+)/', self.address).groups()
        for position, tag in enumerate(tags):
            with socket.create_connection((host, int(port))) as client:
                client.sendall(f'GET /tiles/{position}/{tag}/1000 HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode())
        after = self.counts()[1]
        started, cancelled = (after[name] - before[name] for name in ('started', 'cancelled'))
        self.expect(cancelled > 0 and after['active'] == 0,
                    f'{len(tags)} clients left at once: {started} loads began, {cancelled} were cancelled, none goes on')

    def joining(self):
        before = self.counts()[1]
        self.browser.value('''(async () => {
            for (let position = 0; position < 30; position += 1) {
                const photo = (await (await fetch(`list/${position}/1`)).json()).photos[0];
                const load = () => fetch(`tiles/${position}/${photo[1]}/900`).then(answer => answer.arrayBuffer());
                await Promise.all([load(), load(), load()]);
            }
        })()''')
        after = self.counts()[1]
        self.expect(after['joined'] > before['joined'],
                    f"90 requests for 30 pictures: {after['joined'] - before['joined']} joined a load under way")

    def changing(self):
        """Photos come and go above the place where somebody looks."""
        self.browser.value('scroller.scrollTop = 3000')
        self.rest('moved')
        count, top = self.browser.value('[list.count, list.photo(layout.first()).name]')
        files = sorted(name for name in os.listdir(self.folder) if name.startswith('photo-'))
        removed = [os.path.join(self.folder, name) for name in files[-14:]]
        kept = [path + '.kept' for path in removed]
        for path, other in zip(removed, kept):
            os.rename(path, other)
        try:
            changed = self.browser.until(f'list.count === {count - len(removed)}')
            self.expect(changed is not None, 'the page is told of 14 photos that are gone')
            self.rest('gone')
            names = self.browser.value('Array.from({length: layout.columns}, (_, i) => list.photo(layout.first() + i).name)')
            self.expect(top in names, f'the photo at the top is in the row at the top {"" if top in names else (top, names)}')
        finally:
            for path, other in zip(removed, kept):
                os.rename(other, path)
        self.expect(self.browser.until(f'list.count === {count}') is not None, 'and of their return')
        self.rest('returned')

    def reading(self):
        """The keyboard, and what a screen reader is told."""
        self.browser.value('scroller.scrollTop = 0; layout.current = 0')
        self.rest('at the top')
        self.browser.press('Tab')
        self.expect(self.browser.value("document.activeElement.className === 'tile'"), 'the Tab key enters the grid')
        for key in ('ArrowDown', 'ArrowDown', 'ArrowRight', 'PageDown'):
            self.browser.press(key)
        self.expect(self.browser.value("document.activeElement.picture?.position === layout.current && layout.current > 3"),
                    'arrow and page keys move through it')
        self.browser.press('End', modifiers=2)
        self.rest('the last photo')
        last = self.browser.value('[document.activeElement.picture?.position, layout.current, list.count - 1]')
        self.expect(last[0] == last[1] == last[2], f'Control and End lead to the last {last}')
        self.browser.press('Home', modifiers=2)
        self.browser.until(AT_REST)
        self.browser.press('ArrowRight')
        self.browser.press('Enter')
        self.browser.until("element('picture').dataset.state === 'final'")
        trace = self.browser.value("element('trace').textContent")
        self.expect(trace.startswith('final image from '), f'the Enter key shows the way of a tile: {trace}')
        self.expect(self.browser.value("document.querySelectorAll('#stages tr').length") > 0, 'and the times of its stages')
        nodes = self.browser.call('Accessibility.getFullAXTree')['nodes']
        roles = {}
        for node in nodes:
            if not node.get('ignored'):
                roles.setdefault(node['role']['value'], []).append(node.get('name', {}).get('value', ''))
        self.expect(len(roles.get('grid', [])) == 1 and len(roles.get('row', [])) > 2 and len(roles.get('gridcell', [])) > 20,
                    'a screen reader finds a grid with rows and cells')
        images = roles.get('image', roles.get('img', []))
        self.expect(len(images) > 20 and all(images), f'every picture has a name, such as “{images[0] if images else ""}”')

    def looks(self):
        """Pictures of the page, light and dark, with a photo open."""
        self.browser.value('scroller.scrollTop = grid.clientHeight * 0.6')
        self.rest('elsewhere')
        self.browser.click('.row:nth-child(3) .tile:nth-child(3)')
        self.browser.until("element('picture').dataset.state === 'final'")
        backgrounds = []
        for scheme in ('light', 'dark'):
            self.browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
            self.browser.until(AT_REST)
            backgrounds.append(self.browser.value('getComputedStyle(document.body).backgroundColor'))
            self.browser.screenshot(f'{self.output}/gallery-web-{scheme}.jpg', format='jpeg', quality=75)
        self.expect(backgrounds[0] != backgrounds[1], 'light and dark')
        self.browser.press('Escape')
        self.expect(self.browser.value("chosen.hidden && document.activeElement.className === 'tile'"),
                    'the Escape key leads back to the tile')
        self.browser.call('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=2, mobile=False)
        self.rest('a narrow window')
        self.browser.screenshot(f'{self.output}/gallery-web-narrow.jpg', format='jpeg', quality=75)


def main():
    program, folder, photos, output = sys.argv[1:5]
    os.makedirs(folder, exist_ok=True)
    os.makedirs(output, exist_ok=True)
    server = subprocess.Popen([program, '--folder', folder, '--photos', photos, '--port', '0'], stdout=subprocess.PIPE, text=True)
    check = None
    try:
        line = server.stdout.readline().strip()
        print(line)
        check = Check(server, line.split(' at ')[-1], folder, output)
        start = time.monotonic()
        status = check.run()
        print(f'{time.monotonic() - start:.0f} seconds, {len(check.failures)} failures')
    finally:
        if check:
            check.browser.close()
        server.terminate()
        server.wait()
    return status


if __name__ == '__main__':
    sys.exit(main())
