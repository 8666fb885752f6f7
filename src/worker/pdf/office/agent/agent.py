"""Runs next to one LibreOffice: starts it, warms it, and converts one document at a time.

Requests are JSON lines on standard input, answers are JSON lines on standard output. The process ends when its input
ends or when LibreOffice ends, so that its parent only has to watch one process.
"""
import json
import os
import queue
import resource
import shutil
import subprocess
import sys
import threading
import time

settings = json.loads(sys.argv[1])
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
if settings["bridgeDir"]:
    sys.path.insert(1, settings["bridgeDir"])
    os.environ["URE_BOOTSTRAP"] = "vnd.sun.star.pathname:%s/fundamentalrc" % settings["bridgeDir"]

import confine  # noqa: E402
import decimal_tabs  # noqa: E402
import documents  # noqa: E402
import marks  # noqa: E402
import uno  # noqa: E402
from com.sun.star.connection import NoConnectException  # noqa: E402
from com.sun.star.lang import DisposedException  # noqa: E402
from com.sun.star.uno import RuntimeException  # noqa: E402

# LibreOffice exits with one of these codes to be restarted, for example after initializing a new profile.
RESTART_CODES = (79, 81)
EXIT_OFFICE_LOST = 3
EXIT_CPU_LIMIT = 4
CPU_CHECK_SECONDS = 0.5
MIN_FREE_BYTES = 16 * 1024 * 1024
FREE_BYTES_PER_DOCX_BYTE = 8

answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
# Keeps library output from being mistaken for an answer.
os.dup2(2, 1)


def answer(**message):
    answers.write(json.dumps(message) + "\n")


class Office:
    def __init__(self):
        profile = settings["profileDir"]
        os.makedirs(profile + "/user", exist_ok=True)
        shutil.copyfile(settings["profileSettings"], profile + "/user/registrymodifications.xcu")
        self.is_connected = False
        # What is free in the temporary folder before the first document.
        self.temporary_bytes = 0
        self.cpu_end = settings["startCpuSeconds"]
        self.command = [
            settings["soffice"], "-env:UserInstallation=" + uno.systemPathToFileUrl(profile),
            "--headless", "--invisible", "--nologo", "--norestore", "--nodefault", "--nofirststartwizard",
            "--nolockcheck", "--accept=pipe,name=%s;urp;" % settings["pipeName"],
        ]
        self.process = self.spawn()
        threading.Thread(target=self.watch, daemon=True).start()
        threading.Thread(target=self.watch_cpu, daemon=True).start()

    def spawn(self):
        # LibreOffice inherits the ignored SIGXFSZ, so that exceeding the file size limit is an error, not a crash.
        preload = {"LD_PRELOAD": settings["allocator"]} if settings["allocator"] else {}
        return subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=2, restore_signals=False,
            preexec_fn=self.confine_office, env={**os.environ, **preload, "FONTCONFIG_FILE": settings["fontSettings"]})

    def confine_office(self):
        confine.die_with_parent()
        confine.stay_alone()
        # The kernel enforces the limit of CPU time as well.
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(self.cpu_end) + 1, hard))

    def cpu_seconds(self):
        """CPU time of LibreOffice, including all threads. It has no child processes; see confine.stay_alone."""
        with open("/proc/%d/stat" % self.process.pid, encoding="latin-1") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def renew_cpu_limit(self):
        """Grants CPU time for one document, from now on."""
        try:
            self.cpu_end = self.cpu_seconds() + settings["cpuSeconds"]
            hard = resource.prlimit(self.process.pid, resource.RLIMIT_CPU)[1]
            soft = int(self.cpu_end) + 1
            resource.prlimit(self.process.pid, resource.RLIMIT_CPU, (soft if hard < 0 else min(soft, hard), hard))
        except (OSError, ValueError, IndexError, AttributeError):
            # Neither /proc nor prlimit exists outside Linux.
            pass

    def watch_cpu(self):
        """Ends the slot at its limit, even if nothing outside watches it and LibreOffice blocks the kernel's signal."""
        while True:
            time.sleep(CPU_CHECK_SECONDS)
            try:
                is_over = self.cpu_seconds() > self.cpu_end
            except (OSError, ValueError, IndexError):
                continue
            if is_over:
                self.process.kill()
                os._exit(EXIT_CPU_LIMIT)

    def watch(self):
        while True:
            code = self.process.wait()
            if self.is_connected or code not in RESTART_CODES:
                os._exit(EXIT_OFFICE_LOST)
            self.process = self.spawn()

    def connect(self):
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        address = "uno:pipe,name=%s;urp;StarOffice.ComponentContext" % settings["pipeName"]
        while True:
            try:
                context = resolver.resolve(address)
                desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
                self.is_connected = True
                return context, desktop
            except (NoConnectException, DisposedException):
                time.sleep(0.02)

    def resident_bytes(self):
        total = 0
        for pid in (os.getpid(), self.process.pid):
            try:
                with open("/proc/%d/statm" % pid, encoding="ascii") as file:
                    total += int(file.read().split()[1])
            except (OSError, IndexError):
                continue
        return total * os.sysconf("SC_PAGE_SIZE")


def sockets_of(pid):
    """Paths of the sockets that LibreOffice listens on. They remain after a kill if /tmp is shared."""
    try:
        names = os.listdir("/proc/%d/fd" % pid)
        inodes = {os.readlink("/proc/%d/fd/%s" % (pid, name)) for name in names}
        with open("/proc/self/net/unix", encoding="utf-8") as table:
            rows = [line.split() for line in table]
    except OSError:
        return []
    return sorted({row[7] for row in rows if len(row) == 8 and "socket:[%s]" % row[6] in inodes})


def read_requests(requests):
    for line in sys.stdin:
        requests.put(json.loads(line))
    os._exit(0)


def link_with_name(folder, name):
    """A link to the document under the name that FILENAME fields show."""
    link = os.path.join(folder, os.path.basename(name))
    if not os.path.exists(link):
        os.symlink("in.docx", link)
    return link


def convert(office, desktop, locale, request, replies):
    folder = os.path.join(settings["jobsDir"], request["folder"])
    source, target, data = link_with_name(folder, request["name"]), folder + "/out.pdf", request["filterData"]

    def predict(**table):
        answer(id=request["id"], event="table", **table)
        return replies.get()["prediction"]

    budget = documents.Budget(office.cpu_seconds, settings["convertSeconds"], settings["longTableRows"], predict)
    font_bytes = request.get("fontBytes", 0)
    needed = MIN_FREE_BYTES + font_bytes + FREE_BYTES_PER_DOCX_BYTE * (os.path.getsize(source) - font_bytes)

    def report(document, kept):
        require_space(office, folder, MIN_FREE_BYTES, has_started=True)
        # Answer before closing the document: the caller takes the PDF while LibreOffice cleans up.
        answer(
            id=request["id"], event="done", tableParts=budget.table_parts, kept=kept,
            **marks.layout(document), residentBytes=office.resident_bytes())

    def on_refresh(event):
        answer(id=request["id"], event=event)

    try:
        require_space(office, folder, needed)
        locale.use_for(source)
        refresher = documents.Refresher(on_refresh if request["refresh"] else None)
        documents.convert(desktop, source, target, data, report, budget, request.get("date"), refresher)
    except documents.Refused as refused:
        answer(
            id=request["id"], event="refused", stage=refused.stage, reason=refused.reason, pages=refused.pages,
            residentBytes=office.resident_bytes())


def require_space(office, folder, needed, has_started=False):
    """Refuses the document, because without temporary space LibreOffice omits pictures and still reports success.

    Other slots and programs use the file system of the jobs too: if it is full, no document is at fault. A temporary
    folder with a file system of its own is as good as empty when a document starts, so that document is at fault.
    """
    if free_bytes(folder) < needed:
        raise documents.Refused("full", "disk full")
    temporary = settings["temporaryDir"]
    free = free_bytes(temporary)
    if os.stat(temporary).st_dev == os.stat(folder).st_dev:
        return
    would_fit = free < needed <= office.temporary_bytes
    if not has_started and (would_fit or free < office.temporary_bytes / 2):
        raise documents.Refused("leftover", "earlier documents left temporary files")
    if free < needed:
        raise documents.Refused("large", "%d of %d bytes are free" % (free, needed))


def free_bytes(path):
    space = os.statvfs(path)
    return space.f_bavail * space.f_frsize


def serve(office, desktop, locale, requests):
    while True:
        request = requests.get()
        # Detects a stopped or hung LibreOffice before it gets a document.
        desktop.getImplementationId()
        office.renew_cpu_limit()
        answer(id=request["id"], event="started")
        if "folder" in request:
            convert(office, desktop, locale, request, requests)


def lower_priority(niceness):
    os.nice(niceness)
    try:
        # With autogroup scheduling, only the niceness of the session's group counts against other sessions.
        with open("/proc/self/autogroup", "w") as group:
            group.write(str(niceness))
    except OSError:
        pass


def die_first():
    """When memory runs out, the kernel ends this process and its children before the service."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")
    except OSError:
        pass


def main():
    confine.die_with_parent()
    die_first()
    if settings["niceness"] > 0:
        lower_priority(settings["niceness"])
    confine.limit_tasks(settings["maxTasks"])
    in_force = confine.confine(settings["limits"], settings["paths"])
    requests = queue.SimpleQueue()
    threading.Thread(target=read_requests, args=(requests,), daemon=True).start()
    office = Office()
    context, desktop = office.connect()
    documents.warm_up(desktop, settings["temporaryDir"])
    office.temporary_bytes = free_bytes(settings["temporaryDir"])
    name, version = documents.product(context)
    answer(
        event="ready", name=name, version=version, confinement=in_force,
        sockets=sockets_of(office.process.pid), residentBytes=office.resident_bytes())
    serve(office, desktop, decimal_tabs.Locale(context), requests)


try:
    main()
except (DisposedException, RuntimeException) as error:
    print("lost the connection to LibreOffice: %s" % type(error).__name__, file=sys.stderr, flush=True)
    os._exit(EXIT_OFFICE_LOST)
