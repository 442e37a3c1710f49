import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { html } from '../../http/pages/html.ts'
import { page } from '../../http/pages/page.ts'
import { pagePolicy } from '../../http/pages/style.ts'

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

/** The page loads its modules, the key set, heads and the named record from this service, and sends nothing. */
export const VERIFY_POLICY = pagePolicy({ scripts: " 'self'", more: " connect-src 'self';" })

/** Page that checks a record; `record` in its address names one of this service. */
export const verifyPage = (): string =>
  page(
    {
      title: 'Verify a record',
      lead: 'Checks a badge, a work receipt, a dispute file or a session history in this browser. The record is sent nowhere.',
      script: '/verify/page.ts',
      place: '/verify',
    },
    html`<pre id="result" role="status"></pre>
<form id="form">
<label for="file">Record, as a file</label><input type="file" id="file" accept=".json,application/json">
<label for="record">or as text</label><textarea id="record" rows="8" spellcheck="false"></textarea>
<button>Verify</button>
<details><summary>What you kept, and other choices</summary>
<p>Without a key set of your own the page loads that of this service.</p>
<label for="keys">Key set that you kept</label><input type="file" id="keys" accept=".json,application/json">
<label for="heads">Heads of the session log that you kept, needed for a history</label><input type="file" id="heads" accept=".json,application/json">
<label for="chain">Chain id that you expect</label><input id="chain" inputmode="numeric">
<label for="now">Time to take for now; without one the clock of this computer</label><input id="now" placeholder="2026-01-02T03:04:05.000Z">
<label for="unpublished">Accept a history of which no head has an entry yet</label><input type="checkbox" id="unpublished">
</details>
</form>
<noscript><p class="note">This page needs a script of this service. Without one: <code>npm run verify-record</code> in a checkout of the project.</p></noscript>`,
  )
