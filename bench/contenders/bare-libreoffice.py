"""Loads and stores the files named on standard input, one by one, in one warm LibreOffice, and prints the times."""
import json
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue

soffice, profile = sys.argv[1], sys.argv[2]
command = [
    soffice, "-env:UserInstallation=file://" + profile, "--headless", "--nologo", "--norestore", "--nodefault",
    "--accept=pipe,name=docmill-bench;urp;"]
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
while True:
    try:
        context = resolver.resolve("uno:pipe,name=docmill-bench;urp;StarOffice.ComponentContext")
        break
    except Exception:
        if process.poll() in (79, 81):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.05)
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


print("ready", flush=True)
for line in sys.stdin:
    paths = json.loads(line)
    times = []
    for path in paths:
        started = time.perf_counter()
        document = desktop.loadComponentFromURL(
            "file://" + path, "_blank", 0, properties(Hidden=True, ReadOnly=True, FilterName="MS Word 2007 XML"))
        document.storeToURL("file://" + path + ".pdf", properties(FilterName="writer_pdf_Export"))
        document.close(True)
        times.append((time.perf_counter() - started) * 1000)
    print(json.dumps(times), flush=True)
try:
    desktop.terminate()
except Exception:
    process.kill()
process.wait()
