"""Just enough of PNG for our own files: sizes, and the colour of single pixels."""
import struct
import zlib


class Picture:
    """RGB or RGBA, 8 bits; rows are decoded down to the deepest pixel that is asked for."""

    def __init__(self, path):
        raw = open(path, "rb").read()
        assert raw[:8] == b"\x89PNG\r\n\x1a\n", path
        at, data = 8, b""
        while at < len(raw):
            size, kind = struct.unpack(">I4s", raw[at:at + 8])
            body = raw[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", body[:10])
            elif kind == b"IDAT":
                data += body
            at += 12 + size
        assert depth == 8 and colour in (2, 6), (depth, colour)
        self.step = 3 if colour == 2 else 4
        self.data = zlib.decompress(data)
        self.rows = []

    def _row(self):
        width, step = self.width * self.step, self.step
        start = len(self.rows) * (width + 1)
        kind, line = self.data[start], bytearray(self.data[start + 1:start + 1 + width])
        above = self.rows[-1] if self.rows else bytes(width)
        if kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, above))
        elif kind:
            for x in range(width):
                a, b = line[x - step] if x >= step else 0, above[x]
                c = above[x - step] if x >= step else 0
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                paeth = a if pa <= pb and pa <= pc else b if pb <= pc else c
                line[x] = (line[x] + (a, 0, (a + b) // 2, paeth)[kind - 1]) & 255
        self.rows.append(bytes(line))

    def at(self, x, y):
        x, y = int(x), int(y)
        while len(self.rows) <= y:
            self._row()
        return tuple(self.rows[y][x * self.step:x * self.step + 3])
