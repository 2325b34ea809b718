"""Contact sheets: several pictures on a page, so that a person can look quickly."""

from PIL import Image, ImageDraw

from made import FOLDER

# of a strip, px
HEIGHT = {"desk": 330, "phone": 330, "wall": 330}
HEADING = 18
STRIPS_ON_A_SHEET = 4


def strip(name, theme, pictures):
    """All pictures of a page in one theme in a row."""
    thumbs = []
    for path in pictures:
        image = Image.open(path).convert("RGB")
        # a page that was taken whole may be very long
        image = image.crop((0, 0, image.width, min(image.height, 3 * image.width)))
        height = HEIGHT["desk"]
        thumbs.append(image.resize((max(1, image.width * height // image.height), height), Image.LANCZOS))
    width = sum(thumb.width + 6 for thumb in thumbs)
    row = Image.new("RGB", (width, HEIGHT["desk"] + HEADING), "#888888")
    ImageDraw.Draw(row).text((4, 3), f"{name}, {theme}", fill="white")
    x = 0
    for thumb in thumbs:
        row.paste(thumb, (x, HEADING))
        x += thumb.width + 6
    return row


def sheets(taken, wanted):
    """Writes the sheets and returns their names."""
    strips = []
    for name in dict.fromkeys(name for name, _, _ in taken):
        for theme in dict.fromkeys(theme for other, _, theme in taken if other == name):
            pictures = [
                path
                for (other, screen, shown), paths in taken.items()
                if other == name and shown == theme and screen != "wall"
                for path in paths
            ]
            strips.append(strip(name, theme, pictures))
    written = []
    for number in range(0, len(strips), STRIPS_ON_A_SHEET):
        rows = strips[number : number + STRIPS_ON_A_SHEET]
        sheet = Image.new("RGB", (max(row.width for row in rows), sum(row.height for row in rows)), "#888888")
        y = 0
        for row in rows:
            sheet.paste(row, (0, y))
            y += row.height
        path = FOLDER / f"sheet-{wanted or 'all'}-{number // STRIPS_ON_A_SHEET + 1:02}.png"
        sheet.save(path)
        written.append(path)
    return written
