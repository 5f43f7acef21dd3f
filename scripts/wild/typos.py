"""Typing errors: a word or a sign is left out, written twice, exchanged, or becomes another one."""

import re

TOKEN = re.compile(r"\s+|\w+(?:\.\d+)?|:=|<-|[<>=!]=|\.\.|\?\?|<<|>>|\"[^\"]*\"|.", re.DOTALL)
TYPED = ["", " ", "0", "1", "x", "-", "(", ")", "[", "]", ",", "*", ".", "..", "?", "??", "^", "=", ":=", "<-", "~", "%",
         "not ", "in ", "when ", "if ", "self", "candidate", "any", "99999999999999999999", "1e400", "V", "\n", "{", "|",
         "epoch", "W", "\"", "é", "\0", "//", "2147483648", "Palette(\"p\")", "-1", "randint(0)", "1/0", "0.0"]


def mistyped(dice, text):
    """A text with one to three typing errors."""
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        text = dice.choice([change_of_word, change_of_word, change_of_character])(dice, text)
    return text


def change_of_word(dice, text):
    words = TOKEN.findall(text)
    at, other = dice.randrange(len(words)), dice.randrange(len(words))
    return dice.choice([
        lambda: "".join(words[:at] + words[at + 1:]),
        lambda: "".join(words[:at] + [words[at], " ", words[at]] + words[at + 1:]),
        lambda: "".join(words[:at] + [words[other]] + words[at + 1:]),
        lambda: "".join(words[:at] + [dice.choice(TYPED)] + words[at + 1:]),
        lambda: "".join(words[:at] + [dice.choice(TYPED)] + words[at:]),
    ])()


def change_of_character(dice, text):
    at = dice.randrange(len(text))
    return dice.choice([text[:at] + text[at + 1:], text[:at] + text[at] + text[at:], text[:at],
                        text[:at] + text[at + 1:at + 2] + text[at] + text[at + 2:],
                        text[:at] + dice.choice(TYPED) + text[at + 1:]])
