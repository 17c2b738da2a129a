# A peer in process: Pillow's Gaussian blur of a picture that is in memory.
#
#     pillow-blur.py MODE WIDTH HEIGHT SIGMA REPETITIONS RAW OUT
#
# prints the least CPU time of a repetition in milliseconds and the peak memory growth in kilobytes.
import sys
import time

from PIL import Image, ImageFilter


def peak_kilobytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


mode, size, sigma = sys.argv[1], (int(sys.argv[2]), int(sys.argv[3])), float(sys.argv[4])
with open(sys.argv[6], "rb") as file:
    picture = Image.frombytes(mode, size, file.read())
before = peak_kilobytes()
least = None
for _ in range(int(sys.argv[5])):
    start = time.process_time()
    blurred = picture.filter(ImageFilter.GaussianBlur(sigma))
    spent = (time.process_time() - start) * 1e3
    least = spent if least is None else min(least, spent)
print(f"cpu_ms {least:.3f} growth_kb {peak_kilobytes() - before}")
with open(sys.argv[7], "wb") as file:
    file.write(blurred.tobytes())
