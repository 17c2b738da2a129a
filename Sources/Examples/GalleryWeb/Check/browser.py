"""Chromium without a window, driven through its DevTools protocol on two pipes: nothing but Python's standard library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium', 'chromium-browser', 'google-chrome')


class Browser:
    """One page of one browser, with what its console said."""

    def __init__(self, width=1280, height=800):
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if program is None:
            raise SystemExit('Chromium is missing: scripts/setup --tests installs it.')
        self.profile = tempfile.mkdtemp(prefix='gallery-web-')
        to_browser, self.sending = os.pipe()
        self.receiving, from_browser = os.pipe()

        def take_pipes():
            # The protocol's places; neither may be closed when the program begins.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, '--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
             '--no-first-run', '--disable-background-networking', '--disable-component-update', '--mute-audio',
             f'--user-data-dir={self.profile}', f'--window-size={width},{height}', 'about:blank'],
            preexec_fn=take_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.last, self.session, self.errors, self.loaded = b'', 0, None, [], 0
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Accessibility'):
            self.call(f'{domain}.enable')
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, timeout=30, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.last += 1
        message = {'id': self.last, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.sending, json.dumps(message).encode() + b'\0')
        end = time.monotonic() + timeout
        while True:
            answer = self.receive(end - time.monotonic())
            if answer is None:
                raise TimeoutError(f'{method} has no answer')
            if answer.get('id') == self.last:
                if 'error' in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer['result']

    def receive(self, timeout):
        while b'\0' not in self.buffer:
            if timeout < 0 or not select.select([self.receiving], [], [], timeout)[0]:
                return None
            data = os.read(self.receiving, 1 << 16)
            if not data:
                raise RuntimeError('the browser has ended')
            self.buffer += data
        message, self.buffer = self.buffer.split(b'\0', 1)
        event = json.loads(message)
        self.note(event.get('method'), event.get('params', {}))
        return event

    def note(self, method, event):
        if method == 'Page.loadEventFired':
            self.loaded += 1
        elif method == 'Runtime.exceptionThrown':
            details = event['exceptionDetails']
            self.errors.append(details.get('exception', {}).get('description') or details['text'])
        elif method == 'Runtime.consoleAPICalled' and event['type'] in ('error', 'warning', 'assert'):
            self.errors.append(' '.join(str(part.get('value', part.get('description'))) for part in event['args']))
        elif method == 'Log.entryAdded' and event['entry']['level'] in ('error', 'warning'):
            self.errors.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")

    def open(self, url):
        before = self.loaded
        self.call('Page.navigate', url=url)
        end = time.monotonic() + 30
        while self.loaded == before:
            if self.receive(end - time.monotonic()) is None:
                raise TimeoutError(f'{url} is not loaded')

    def value(self, expression):
        """Returns the value of an expression of the page, a promise's too."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            details = result['exceptionDetails']
            raise RuntimeError(details.get('exception', {}).get('description') or details['text'])
        return result['result'].get('value')

    def until(self, expression, timeout=20):
        """Waits until an expression is true, looking once a frame, and returns the seconds that it took; nil after the timeout."""
        return self.value(f'''new Promise(resolve => {{
            const start = performance.now();
            const look = () => {{
                const time = (performance.now() - start) / 1000;
                if ({expression}) resolve(time);
                else if (time > {timeout}) resolve(null);
                else requestAnimationFrame(look);
            }};
            look();
        }})''')

    def wheel(self, distance):
        self.call('Input.dispatchMouseEvent', type='mouseWheel', x=500, y=400, deltaX=0, deltaY=distance)

    def click(self, selector):
        box = self.value(f"(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector('{selector}').getBoundingClientRect())")
        for kind in ('mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=box[0], y=box[1], button='left', clickCount=1)

    def press(self, key, modifiers=0):
        codes = {'Tab': 9, 'Enter': 13, 'Escape': 27, 'End': 35, 'Home': 36, 'ArrowDown': 40, 'ArrowRight': 39, 'PageDown': 34}
        for kind in ('rawKeyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, modifiers=modifiers,
                      windowsVirtualKeyCode=codes[key])

    def screenshot(self, path, **options):
        data = self.call('Page.captureScreenshot', **options)['data']
        with open(path, 'wb') as file:
            file.write(base64.b64decode(data))
