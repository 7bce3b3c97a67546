"""A walk through a guide: what is pressed, read and asked, held against the guide's own words.

A guide's bold words are what is pressed, and its `sh` block is what is asked of REST: a walk may press or
ask nothing else, and whatever it reads on a page must stand in the guide.
"""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.fixtures.stack import Stack, wait_until

FOLDER = Path(__file__).parents[2] / "docs" / "guides"
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
MEANS_OF_REST = ("TOKEN=", "API=", "AUTH=")


def plain(text: str) -> str:
    """A text as it is read: without marks of Markdown, and with single blanks."""
    return " ".join(re.sub(r"[*`]|^ *```\w*$", "", text, flags=re.MULTILINE).split())


@dataclass
class Walk:
    """A walk through one guide: what was pressed and asked on it."""

    page: Page
    stack: Stack
    name: str
    pressed: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The guide."""
        return (FOLDER / f"{self.name}.md").read_text()

    def press(self, what: Locator, words: str) -> None:
        """Press what the guide calls by these words in bold."""
        expect(what).to_contain_text(words)
        self.pressed.append(words)
        what.click()

    def button(self, words: str) -> None:
        self.press(self.page.get_by_role("button", name=words, exact=True), words)

    def link(self, words: str) -> None:
        self.press(self.page.get_by_role("link", name=words, exact=True), words)

    def read(self, place: Locator, words: str) -> None:
        """The page says this there, and the guide quotes it."""
        expect(place).to_contain_text(words)
        assert plain(words) in plain(self.text), f"{self.name} does not say: {words}"

    def ask(self, **numbers: int) -> list[Any]:
        """Send each request of the guide's one block of them; return the answers."""
        answers = []
        [block] = [one for one in SHELL.findall(self.text) if "curl " in one]
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("curl"):
                answers.append(self._send(line, numbers))
            else:
                assert line.startswith(MEANS_OF_REST), line
        return answers

    def _send(self, line: str, numbers: dict[str, int]) -> Any:
        words = shlex.split(line)
        [address] = [word for word in words if word.startswith("$API/")]
        body = words[words.index("-d") + 1] if "-d" in words else None
        places = {name: str(number) for name, number in numbers.items()}
        path = Template(address.removeprefix("$API")).substitute(places)
        data = None if body is None else json.loads(Template(body).substitute(places))
        status, answer = self.stack.request(
            "POST" if body else "GET", f"/api/v1{path}", data, who="dora" if "users" in path else "alice"
        )
        assert status < 300, (line, answer)
        self.asked.append(line)
        return answer

    def check_all_was_pressed(self) -> None:
        """Every bold word of the guide was pressed, in whatever order."""
        assert {plain(words) for words in BOLD.findall(self.text)} == set(self.pressed)


def wait_for(walk: Walk, run: int) -> None:
    """Wait until a run has finished."""
    address = f"/api/v1/runs/{run}/"
    wait_until(lambda: walk.stack.request("GET", address, who="alice")[1]["status"] == "finished")
