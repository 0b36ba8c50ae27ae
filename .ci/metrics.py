"""Tests the metrics of a running binary for .ci/metrics. Usage: python3 metrics.py LECTERN PROMTOOL FOLDER"""

import http.client
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time
import urllib.request

lectern, promtool, folder = sys.argv[1:4]
port, metrics_port = 18461, 18462
settings = pathlib.Path(folder, "settings")
log = pathlib.Path(folder, "log")


def serve() -> subprocess.Popen[bytes]:
    settings.write_text("# none yet\n")
    arguments = ["--listen", f"127.0.0.1:{port}", "--metrics-listen", f"127.0.0.1:{metrics_port}", "--log-format", "json", "--settings", str(settings), "--address-rate-per-second", "0"]
    server = subprocess.Popen([lectern, "serve", "--data", f"{folder}/data", *arguments], stdout=subprocess.DEVNULL, stderr=log.open("wb"), start_new_session=True)
    until(lambda: b'"serving ' in log.read_bytes(), "it does not serve")
    return server


def until(is_so, otherwise: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"metrics: {otherwise}\n{log.read_text() if log.exists() else ''}")
        time.sleep(0.05)


def scrape() -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics") as answer:
        return answer.read().decode()


def series(text: str) -> set[str]:
    return {line.rsplit(" ", 1)[0] for line in text.splitlines() if line and not line.startswith("#")}


def ask(method: str, paths, **fields: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for path in paths:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in fields.items()})
        connection.getresponse().read()


def demand_bound(token: str) -> None:
    bearer = f"Bearer {token}"
    urls = lambda count: [f"/v1/books/{n}" for n in range(count)] + [f"/nowhere/{n}?{n}={n}" for n in range(count)]
    ask("GET", urls(1), Authorization=bearer)
    scrape()
    before = series(scrape())
    ask("GET", urls(5000), Authorization=bearer)
    more = series(scrape()) - before
    if more:
        sys.exit(f"metrics: 10,000 URLs made new series: {sorted(more)[:5]}")
    print(f"{len(before)} series, as many after 10,000 URLs")


def demand_names() -> None:
    text = scrape()
    checked = subprocess.run([promtool, "check", "metrics"], input=text.encode(), capture_output=True)
    if checked.returncode != 0 or checked.stderr.strip():
        sys.exit(f"metrics: promtool: {checked.stderr.decode()}")
    known = set(re.findall(r"^# TYPE (\S+)", text, re.M)) | {"up"}
    dashboard = json.loads(pathlib.Path("docker/grafana.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = pathlib.Path(folder, "rules.yml")
    # Each query of the dashboard becomes a rule: promtool parses only the queries of rules.
    parsed = [re.sub(r"\$__rate_interval", "5m", query).replace("$instance", ".*") for query in queries]
    groups = [{"name": "dashboard", "rules": [{"record": f"q:{n}", "expr": query} for n, query in enumerate(parsed)]}]
    rules.write_text(json.dumps({"groups": groups}))
    subprocess.run([promtool, "check", "rules", str(rules)], check=True, stdout=subprocess.DEVNULL)
    queries.append(pathlib.Path("docker/alerts.yml").read_text())
    named = {name for query in queries for name in re.findall(r"\b(?:lectern|process)_[a-z_]+\b", query)}
    unknown = {name for name in named if re.sub(r"_(bucket|count|sum)$", "", name) not in known and name not in known}
    if unknown:
        sys.exit(f"metrics: no metric is called {sorted(unknown)}")
    print(f"{len(known)} metrics, {len(parsed)} queries of the dashboard")


def demand_lines(server: subprocess.Popen[bytes], token: str) -> None:
    secret, stream = "a-very-secret-word", "01890000-0000-7000-8000-000000000001"
    paths = [f"/v1/calendars/{secret}", f"/v1/streams/{stream}/events?secret={secret}"]
    ask("GET", paths, X_Request_Id="before", Authorization=f"Bearer {token}")
    settings.write_text("LECTERN_LOG_REQUESTS=true\nLECTERN_REGISTRATION=open\n")
    server.send_signal(signal.SIGHUP)
    until(lambda: b"settings were reloaded" in log.read_bytes(), "SIGHUP does not have the settings read")
    if b"not before the next start: LECTERN_REGISTRATION" not in log.read_bytes():
        sys.exit("metrics: nothing says what waits for the next start")
    ask("GET", paths, X_Request_Id="after-1", Authorization=f"Bearer {token}")
    until(lambda: log.read_bytes().count(b'"after-1"') == len(paths), "a request has no line")
    settings.write_text("LECTERN_NONSENSE=1\n")
    server.send_signal(signal.SIGHUP)
    until(lambda: b"settings were not reloaded" in log.read_bytes(), "nonsense is taken over")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    if any(line.get("requestId") == "before" for line in lines) or secret in log.read_text() or token in log.read_text():
        sys.exit("metrics: the log says what it should not")
    print(f"{len(lines)} lines of JSON")


def demand_end_with_terminal() -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.execv(lectern, [lectern, "serve", "--listen", "127.0.0.1:18463", "--data", f"{folder}/terminal"])
    said = b""
    while b"serving " not in said:
        said += os.read(terminal, 4096)
    # While the terminal is open, SIGHUP means that the settings are to be read again.
    os.kill(child, signal.SIGHUP)
    while b"settings were reloaded" not in said:
        said += os.read(terminal, 4096)
    os.close(terminal)
    until(lambda: os.waitpid(child, os.WNOHANG)[0] == child, "it outlives its terminal")
    print("it ends with its terminal")


server = serve()
try:
    token = subprocess.run([lectern, "token", "create", "--name", "metrics", "--data", f"{folder}/data"], check=True, capture_output=True, text=True).stdout.strip()
    ask("POST", ["/v1/books"], Authorization=f"Bearer {token}")
    demand_bound(token)
    demand_names()
    demand_lines(server, token)
finally:
    server.terminate()
if server.wait(15) != 0:
    sys.exit("metrics: it did not end well")
demand_end_with_terminal()
