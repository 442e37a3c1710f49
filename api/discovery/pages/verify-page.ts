import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { PRODUCT_NAME } from '../../../schemas/product.ts'
import { html } from '../../http/pages/html.ts'

/** The verifier for strangers; the page runs the same files as the command. */
const SOURCES = new URL('../../../examples/verify-record/', import.meta.url)
/** Reads files and processes: the command alone. */
const COMMAND = 'verify-record.ts'

/** JavaScript of the verifier, by the name of its file without `.ts`. */
export const loadVerifierModules = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(SOURCES)
      .filter((name) => name.endsWith('.ts') && name !== COMMAND)
      .map((name) => [name.slice(0, -3), stripTypeScriptTypes(readFileSync(new URL(name, SOURCES), 'utf8'))]),
  )

/** The page loads its modules and the key set from this service, and sends nothing. */
export const VERIFY_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const VERIFY_STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace }
button { margin-top: 1rem; padding: .5rem 1.25rem; font: inherit }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border-left: 4px solid currentColor }
.sound { color: #0b6e4f } .refused { color: #b3261e }
@media (prefers-color-scheme: dark) { .sound { color: #4fd1a5 } .refused { color: #f2b8b5 } }
`

export const verifyPage = (): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Verify a record – ${PRODUCT_NAME}</title><link rel="stylesheet" href="/verify/style.css"><script type="module" src="/verify/page.ts"></script></head><body>
<h1>Verify a record</h1>
<p>Checks a badge, a work receipt, a dispute file or a session history in this browser. The record is sent nowhere. Without a key set of your own the page loads that of this service.</p>
<form id="form">
<label for="file">Record, as a file</label><input type="file" id="file" accept=".json,application/json">
<label for="record">or as text</label><textarea id="record" rows="8" spellcheck="false"></textarea>
<label for="keys">Key set that you kept (optional)</label><input type="file" id="keys" accept=".json,application/json">
<label for="heads">Heads of the session log that you kept (needed for a history)</label><input type="file" id="heads" accept=".json,application/json">
<label for="chain">Chain id that you expect (optional)</label><input id="chain" inputmode="numeric">
<label for="now">Time to take for now (optional; default: the clock of this computer)</label><input id="now" placeholder="2026-01-02T03:04:05.000Z">
<label for="unpublished">Accept a history of which no head has an entry yet</label><input type="checkbox" id="unpublished">
<br><button>Verify</button>
</form>
<pre id="result" role="status"></pre>
</body></html>`.html
  }`
