# How large Pillow writes pictures: a line for each, at zlib levels 6 and 9, and with optimize=True.
#
#     pillow-sizes.py FILES…
import io
import sys

from PIL import Image

for path in sys.argv[1:]:
    sizes = []
    with Image.open(path) as image:
        image.load()
        # Beside the pixels it would write these.
        for key in ("icc_profile", "exif"):
            image.info.pop(key, None)
        for options in ({"compress_level": 6}, {"compress_level": 9}, {"optimize": True}):
            file = io.BytesIO()
            image.save(file, "PNG", **options)
            sizes.append(file.tell())
    print(*sizes)
