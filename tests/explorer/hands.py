"""Where things are on the page, and what it says."""

from __future__ import annotations


def where(browser, node, lens=0):
    """The place of a node in the window."""
    return browser.value(
        f"""(() => {{ const map = explorer.maps[{lens}], box = map.box.getBoundingClientRect();
        const [x, y] = map.place({node});
        return [box.left + map.box.clientLeft + x, box.top + map.box.clientTop + y]; }})()"""
    )


def alone(browser):
    """A node near which no other is, in either map."""
    return browser.value(
        """(() => { const all = explorer.ids.map((_, i) => i);
        const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d) > 16;
        const lonely = (map, i) => all.every(j => j === i || far(map.place(i), map.place(j)));
        return all.find(i => explorer.maps.every(map => lonely(map, i))); })()"""
    )


def state(browser, name):
    return browser.value(f"explorer.state.{name}")


def text(browser, selector):
    return browser.value(f"document.querySelector({selector!r}).textContent")


def press_button(browser, selector):
    browser.value(f"document.querySelector({selector!r}).click()")


def button_called(browser, inside, words):
    browser.value(
        f"[...document.querySelectorAll({inside!r} + ' button')].find(b => b.textContent.includes({words!r})).click()"
    )


COLOURED = """(lens => {
    const map = explorer.maps[lens], copy = document.createElement("canvas");
    map.draw();
    Object.assign(copy, { width: map.points.canvas.width, height: map.points.canvas.height });
    const pen = copy.getContext("2d");
    pen.drawImage(map.points.canvas, 0, 0);
    const data = pen.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    for (let k = 3; k < data.length; k += 4) count += data[k] > 100;
    return count;
})"""


def coloured(browser, lens=0):
    """How many pixels the points of a map cover."""
    return browser.value(f"{COLOURED}({lens})")


def choose_colour(browser, name):
    browser.value(
        f"""(() => {{ const menu = document.getElementById("colour");
        menu.value = explorer.fields.findIndex(field => field.name === {name!r});
        menu.dispatchEvent(new Event("change")); }})()"""
    )


def around(browser, lens=0):
    """The corners of a map, and back."""
    left, top, right, bottom = browser.value(
        f"(b => [b.left + 5, b.top + 5, b.right - 5, b.bottom - 5])(explorer.maps[{lens}].box.getBoundingClientRect())"
    )
    middle = (left + right) / 2
    whole = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return whole, [(left, top), (middle, top), (middle, bottom), (left, bottom)]


def set_value(browser, selector, value):
    """Fill in a field, or choose from a menu."""
    browser.value(
        f"""(box => {{ box.value = {value!r}; box.dispatchEvent(new Event("change")); }})
        (document.querySelector({selector!r}))"""
    )
