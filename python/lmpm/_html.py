"""HTML for notebooks: IR with colours and regions that fold, tables. No JavaScript; light and dark."""

import base64
import html
import re

#: A cell of a notebook shows no more lines; `print` shows all. Of levels side by side each has fewer.
MAX_LINES, MAX_LINES_BESIDE = 1000, 400
#: A region of more lines begins folded, unless fewer than this many are around it.
MAX_OPEN, ALWAYS_OPEN = 60, 2
#: More names of maps and sets begin folded.
MAX_NAMES = 4

_LIGHT = ("--lmpm-fg:#24292f;--lmpm-bg:#ffffff;--lmpm-line:#d0d7de;--lmpm-faint:#6e7781;"
          "--lmpm-op:#0550ae;--lmpm-type:#116329;--lmpm-name:#8250df;--lmpm-value:#953800;"
          "--lmpm-string:#0a3069;--lmpm-hover:#f3f5f8")
_DARK = ("--lmpm-fg:#d6dde4;--lmpm-bg:#15191f;--lmpm-line:#3a424c;--lmpm-faint:#8b96a2;"
         "--lmpm-op:#79b8ff;--lmpm-type:#7ee787;--lmpm-name:#d2a8ff;--lmpm-value:#ffa657;"
         "--lmpm-string:#a5d6ff;--lmpm-hover:#1f252d")
# A notebook says which theme it has; elsewhere the browser does.
STYLE = f"""
.lmpm{{{_LIGHT};color-scheme:light}}
@media (prefers-color-scheme:dark){{.lmpm{{{_DARK};color-scheme:dark}}}}
[data-jp-theme-light="true"] .lmpm,.vscode-light .lmpm,[data-theme="light"] .lmpm{{{_LIGHT};color-scheme:light}}
[data-jp-theme-light="false"] .lmpm,.vscode-dark .lmpm,[data-theme="dark"] .lmpm{{{_DARK};color-scheme:dark}}
.lmpm{{color:var(--lmpm-fg);background:var(--lmpm-bg);border:1px solid var(--lmpm-line);border-radius:6px;
padding:8px 12px;font:13px/1.5 system-ui,sans-serif;box-sizing:border-box;max-width:100%}}
.lmpm .code{{font:12px/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;
overflow:auto;max-height:32em;margin:6px 0 0}}
.lmpm .code details,.lmpm .code summary,.lmpm .code div{{margin:0;padding:0;background:none}}
.lmpm .code{{padding-left:14px}}
.lmpm summary{{cursor:pointer;list-style:none;display:block}}
.lmpm summary::before{{content:"▸";display:inline-block;width:14px;margin-left:-14px;color:var(--lmpm-faint)}}
.lmpm details[open]>summary::before{{content:"▾"}}
.lmpm summary::-webkit-details-marker{{display:none}}
.lmpm summary:hover{{background:var(--lmpm-hover)}}
.lmpm details:not([open])>summary::after{{content:attr(data-end);color:var(--lmpm-faint)}}
.lmpm .c{{color:var(--lmpm-faint);font-style:italic}}.lmpm .s{{color:var(--lmpm-string)}}
.lmpm .o{{color:var(--lmpm-op)}}.lmpm .k{{color:var(--lmpm-op);font-weight:600}}
.lmpm .t{{color:var(--lmpm-type)}}.lmpm .y{{color:var(--lmpm-name)}}
.lmpm .v{{color:var(--lmpm-value)}}.lmpm .n{{color:var(--lmpm-string)}}
.lmpm .faint{{color:var(--lmpm-faint)}}.lmpm .title{{font-weight:600;margin:0 0 4px}}
.lmpm table{{border-collapse:collapse;margin:4px 0 8px;font-size:13px;border:0}}
.lmpm th,.lmpm td{{padding:2px 14px 2px 0;text-align:left;border:0;background:none;color:inherit}}
.lmpm th{{font-weight:600;border-bottom:1px solid var(--lmpm-line)}}
.lmpm td.number,.lmpm th.number{{text-align:right;font-variant-numeric:tabular-nums}}
.lmpm figure{{display:inline-block;margin:4px 16px 4px 0;vertical-align:top}}
.lmpm figcaption{{color:var(--lmpm-faint);font-size:12px}}
.lmpm img{{image-rendering:pixelated;max-width:100%;margin:0}}
""".strip().replace("\n", "")


def block(content):
    """What a notebook shows, with its style."""
    return f'<div class="lmpm"><style>{STYLE}</style>{content}</div>'


def escape(text):
    """Text that is no markup, in elements and attributes."""
    return html.escape(str(text), quote=True)


# Colours. What is named first wins.

_IR = [("c", r"(?://|;).*"), ("s", r'"(?:\\.|[^"\\])*"'), ("v", r"%[\w$.\-]+(?:#\d+|:\d+)?"),
       ("y", r'@(?:[\w$.\-]+|"(?:\\.|[^"\\])*")'), ("v", r"\^\w+"), ("t", r"!\w[\w.]*"),
       ("y", r"#\w[\w.]*"), ("n", r"(?:\d+|\?)(?:x(?:\d+|\?))*x(?=[a-z!])"),
       ("o", r"\b[a-z_]\w*(?:\.[a-z_]\w*)+"),
       ("t", r"(?:\b|(?<=[\d?]x))(?:[su]?i\d+|u\d+|b?f\d+|index|none|ptr|label)\b"),
       ("t", r"(?:\b|(?<=[\d?]x))(?:tensor|memref|vector|tuple|complex|affine_map|affine_set)\b"),
       ("n", r"-?\b(?:0x[0-9A-Fa-f]+|\d[\d.]*(?:e[+-]?\d+)?)\b"),
       ("k", r"\b(?:module|define|declare|iter_args|else|attributes|loc|true|false)\b")]
_LANGUAGE = [("c", r"//.*"), ("s", r'"[^"]*"'),
             ("k", r"^(?:value|param|def|visible|rule|constraint|schedule|commit|observe)\b"),
             ("o", r"\b(?:shape|clock|boundary|init|when|in|on|emit|proposal|proposals|score|condition|let|"
                   r"require|forbid|read|priority|using|if|then|else|and|or|not|self|candidate|any)\b"),
             ("t", r"\b(?:Token|I32|F32|Latent|Set|Grid\w*|Sequence\w*|Video\w*|Scalar)\b"),
             ("n", r"\b\d[\d.]*(?:e[+-]?\d+)?\b")]


def _lexer(rules):
    names = [name for name, _ in rules]
    pattern = re.compile("|".join(f"({rule})" for _, rule in rules))

    def colour(line):
        parts, end = [], 0
        for match in pattern.finditer(line):
            parts += [escape(line[end:match.start()]),
                      f'<span class="{names[match.lastindex - 1]}">{escape(match[0])}</span>']
            end = match.end()
        return "".join(parts) + escape(line[end:])
    return colour


_colour_ir = _lexer(_IR)
_colour_language = _lexer(_LANGUAGE)


# Regions. Both say of each line how many lines there are to the one that ends the region which
# begins there, or 0.


def _braces(lines):
    """Regions of IR: from a line that ends in `{` to one that begins with its `}`; and the names of
    maps and sets before the module."""
    sizes, begins = [0] * len(lines), []
    names = next((number for number, line in enumerate(lines) if not line.startswith(_NAMES)), 0)
    sizes[0] = names if names > 1 else 0
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("}") and begins:
            begin = begins.pop()
            sizes[begin] = number - begin
        if text.endswith("{"):
            begins.append(number)
    for begin in begins:  # the text is cut before they end
        sizes[begin] = len(lines) - begin
    return sizes


_NAMES = ("#", "!")


def _is_open(line, size, depth):
    if line.startswith(_NAMES):
        return size <= MAX_NAMES
    return depth < ALWAYS_OPEN or size <= MAX_OPEN


def _indents(lines):
    """Declarations of the language: a line at the margin and those behind it that are not."""
    sizes, begin = [0] * len(lines), 0
    for number, line in enumerate(lines):
        if line.startswith(" "):
            sizes[begin] = number - begin + 1
        else:
            begin = number
    return sizes


def _fold(lines, sizes, colour, begin, end, depth=0):
    """Lines as elements. A line that ends a region is the last in it, unless one begins there."""
    parts, number = [], begin
    while number < end:
        shown = colour(lines[number]) or " "
        last = number + sizes[number]
        if last == number:
            parts.append(f"<div>{shown}</div>")
            number += 1
            continue
        ends = last < len(lines) and lines[last].strip().startswith("}") and not sizes[last]
        body = _fold(lines, sizes, colour, number + 1, last + ends, depth + 1)
        is_open = " open" if _is_open(lines[number], sizes[number], depth) else ""
        folded = escape(" … " + lines[last].strip() if ends else " …")
        parts.append(f'<details{is_open}><summary data-end="{folded}">{shown}</summary>{body}</details>')
        number = last + ends
    return "".join(parts)


def code(text, language=False, most=MAX_LINES):
    """IR, or text of the language, as an element that scrolls, with regions that fold."""
    lines = text.rstrip("\n").split("\n")
    more = len(lines) - most
    lines = lines[:most]
    sizes, colour = (_indents(lines), _colour_language) if language else (_braces(lines), _colour_ir)
    made = _fold(lines, sizes, colour, 0, len(lines))
    rest = f'<div class="faint">… and {more:,} lines more, which print shows</div>' if more > 0 else ""
    return f'<div class="code">{made}{rest}</div>'


def table(head, rows):
    """A table; columns of numbers stand on the right."""
    right = [all(isinstance(row[at], (int, float)) or row[at] == "" for row in rows)
             for at in range(len(head))]

    def line(tag, cells):
        made = (f'<{tag}{_RIGHT if number else ""}>{escape(shown(cell))}</{tag}>'
                for cell, number in zip(cells, right))
        return f"<tr>{''.join(made)}</tr>"
    return f"<table>{line('th', head)}{''.join(line('td', row) for row in rows)}</table>"


def figure(png, caption):
    """A picture with words below it."""
    data = base64.b64encode(png).decode()
    return (f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>")


def stops(sections, group):
    """Pairs of a name and HTML, of which one is shown: radio buttons that look like a slider."""
    buttons = "".join(f'<input type="radio" name="{group}" id="{group}-{number}"'
                      f'{" checked" if number == 0 else ""}>' for number in range(len(sections)))
    labels = "".join(f'<label for="{group}-{number}">{escape(name)}</label>'
                     for number, (name, _) in enumerate(sections))
    panels = "".join(f"<section>{content}</section>" for _, content in sections)
    return (f'<style>{_stops_style(len(sections))}</style><div class="stops">{buttons}'
            f'<div class="rail">{labels}</div><div class="panels">{panels}</div></div>')


def _stops_style(count):
    """Which section is shown, and which label is lit, by the button that is checked."""
    chosen = [f".lmpm .stops>input:nth-of-type({number}):checked~" for number in range(1, count + 1)]

    def each(what):
        return ",".join(f"{one}{what}:nth-of-type({number})" for number, one in enumerate(chosen, 1))
    return (f'{_STOPS}{each(".panels>section")}{{display:block}}'
            f'{each(".rail>label")}{{color:var(--lmpm-fg);font-weight:600}}'
            f'{",".join(one + "::before" for one in each(".rail>label").split(","))}'
            "{background:var(--lmpm-op)}")


_STOPS = """
.lmpm .stops{position:relative}
.lmpm .stops>input{position:absolute;opacity:0;width:1px;height:1px}
.lmpm .rail{display:flex;margin:2px 0 10px;position:relative}
.lmpm .rail>label{flex:1;text-align:center;cursor:pointer;color:var(--lmpm-faint);font-size:12px;margin:0;
padding:0 2px;position:relative}
.lmpm .rail>label::before{content:"";display:block;width:11px;height:11px;margin:0 auto 3px;border-radius:50%;
background:var(--lmpm-bg);border:2px solid var(--lmpm-op);box-sizing:border-box;position:relative;z-index:1}
.lmpm .rail>label::after{content:"";position:absolute;top:5px;left:0;right:0;border-top:1px solid var(--lmpm-line)}
.lmpm .rail>label:first-of-type::after{left:50%}.lmpm .rail>label:last-of-type::after{right:50%}
.lmpm .stops>input:focus-visible~.rail{outline:2px solid var(--lmpm-op);outline-offset:2px;border-radius:4px}
.lmpm .panels>section{display:none}
""".strip().replace("\n", "")

_RIGHT = ' class="number"'


def shown(value):
    """A cell of a table: numbers with commas between thousands, and as many digits as one reads."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
