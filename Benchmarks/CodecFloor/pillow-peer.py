# A peer in process: Pillow's thumbnail (draft and reducing_gap) of a file that is in memory.
#
#     pillow-peer.py FILE TARGET [REPETITIONS] [OUT.ppm]
#     pillow-peer.py --list LIST
#
# prints the least CPU time of a repetition in milliseconds and the peak memory growth in kilobytes. LIST has lines of
# FILE, WIDTH, HEIGHT and OUT.ppm with tabs between: thumbnails of just that size, by the steps that Image.thumbnail takes.
import io
import sys
import time

from PIL import Image


def peak_kilobytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def make_list(path):
    with open(path) as lines:
        for line in lines:
            file, width, height, out = line.rstrip("\n").split("\t")
            size = (int(width), int(height))
            with Image.open(file) as image:
                drafted = image.draft(None, (size[0] * 2.0, size[1] * 2.0))
                box = drafted[1] if drafted else None
                image.resize(size, Image.LANCZOS, box=box, reducing_gap=2.0).convert("RGB").save(out)


Image.MAX_IMAGE_PIXELS = None
Image.init()
if sys.argv[1] == "--list":
    make_list(sys.argv[2])
    sys.exit()
path, target = sys.argv[1], int(sys.argv[2])
with open(path, "rb") as file:
    content = file.read()
before = peak_kilobytes()
least = None
for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 1):
    image = None
    start = time.process_time()
    image = Image.open(io.BytesIO(content))
    image.thumbnail((target, target), Image.LANCZOS, reducing_gap=2.0)
    spent = (time.process_time() - start) * 1e3
    least = spent if least is None else min(least, spent)
print(f"cpu_ms {least:.3f} growth_kb {peak_kilobytes() - before}")
if len(sys.argv) > 4:
    image.convert("RGB").save(sys.argv[4])
