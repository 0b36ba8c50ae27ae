"""The parts of openapi.yaml that the tour needs: routes, their query parameters, statuses, and watchable URLs."""

import re


class Operation:
    def __init__(self, method, path):
        self.method, self.path = method, path
        self.parameters, self.statuses = set(), set()
        self.is_watchable, self.has_body, self.needs_token = False, False, True

    @property
    def name(self):
        return f"{self.method} {self.path}"


class Contract:
    """The contract, parsed by its indentation: the file is written by hand in one style."""

    def __init__(self, text):
        self.known = dict(self.components(text))
        self.operations = list(self.read(text))

    @staticmethod
    def components(text):
        """Yields each parameter component with its place and name."""
        block = re.search(r"^  parameters:\n((?:    .*\n|\n)*)", text[text.index("\ncomponents:"):], re.M)[1]
        for name, body in re.findall(r"^    (\w+):\s*(.*(?:\n      .*)*)", block, re.M):
            yield name, (re.search(r"\bin: (\w+)", body)[1], re.search(r"\bname: ([\w-]+)", body)[1])

    def read(self, text):
        paths = text[text.index("\npaths:"):text.index("\ncomponents:") + 1]
        for path, body in re.findall(r"^  (/\S*):\n((?:    .*\n|\n)*)", paths, re.M):
            shared = re.search(r"^    parameters:\n((?:      .*\n)*)", body, re.M)
            for method, part in re.findall(r"^    (get|put|post|patch|delete):\n((?:      .*\n|\n)*)", body, re.M):
                operation = Operation(method.upper(), path)
                for name in re.findall(r"#/components/parameters/(\w+)", (shared[1] if shared else "") + part):
                    operation.parameters.add(self.known[name])
                operation.statuses = {int(status) for status in re.findall(r"^        '(\d{3})':", part, re.M)}
                operation.is_watchable = "            text/event-stream:" in part
                operation.has_body = "      requestBody:" in part
                operation.needs_token = "      security: [" not in part
                operation.statuses.update(self.common(operation))
                yield operation

    @staticmethod
    def common(operation):
        """Yields the statuses of the `default` response that requests alone can cause."""
        yield from (400, 405, 406)
        if operation.needs_token:
            yield 401
        if operation.needs_token and operation.method != "GET":
            yield 403
        if "{" in operation.path:
            yield 404
        if operation.has_body:
            yield from (415, 422)

    def operation(self, method, target):
        """Returns the operation of a request."""
        return next((one for one in self.operations_at(target) if one.method == method), None)

    def operations_at(self, target):
        """Returns all operations at a target; literal segments take precedence over parameters."""
        segments = target.partition("?")[0].split("/")
        fitting = [one for one in self.operations if self.fits(one.path.split("/"), segments)]
        fewest = min((one.path.count("{") for one in fitting), default=0)
        return [one for one in fitting if one.path.count("{") == fewest]

    @staticmethod
    def fits(pattern, segments):
        return len(pattern) == len(segments) and all(a == b or (a.startswith("{") and b) for a, b in zip(pattern, segments))
