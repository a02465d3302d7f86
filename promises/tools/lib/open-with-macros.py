# Opens a document in LibreOffice with its macros on: open-with-macros.py <file> [<library.module.macro>]
# A macro that is named is called, as by a button; what a document runs by itself has run before.
import atexit
import os
import signal
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue

ALWAYS_EXECUTE_NO_WARN = 4

pipe = f"proof{os.getpid()}"
office = subprocess.Popen(["soffice", "--headless", "--norestore", f"--accept=pipe,name={pipe};urp;"], start_new_session=True)

# Asked to end, it would ask about the documents that its macros opened.
atexit.register(os.killpg, office.pid, signal.SIGKILL)


def context():
    resolver = uno.getComponentContext().ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    for _ in range(200):
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception:
            time.sleep(0.1)
    raise SystemExit("LibreOffice did not start")


desktop = context().ServiceManager.createInstance("com.sun.star.frame.Desktop")
mode = PropertyValue()
mode.Name, mode.Value = "MacroExecutionMode", ALWAYS_EXECUTE_NO_WARN
document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(sys.argv[1]), "_blank", 0, (mode,))
for macro in sys.argv[2:]:
    script = f"vnd.sun.star.script:{macro}?language=Basic&location=document"
    document.getScriptProvider().getScript(script).invoke((), (), ())
# What a document runs by itself, it runs after it is shown.
time.sleep(3)
print("opened", flush=True)
