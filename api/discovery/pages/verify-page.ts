import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename } from 'node:path'
import { html } from '../../../pages/html.ts'
import { pagePolicy } from '../../../pages/style.ts'
import { page } from '../../http/pages/page.ts'

/** The verifier for strangers; the page runs the same files as the command. */
const SOURCES = new URL('../../../examples/verify-record/', import.meta.url)
/** Reads files and processes: the command alone. */
const COMMAND = 'verify-record.ts'

/** `./encoding/json.ts` → `./json.ts`: all modules are served beside one another. */
const besideEachOther = (source: string): string => source.replaceAll(/(from ')\.\.?\/(?:[\w-]+\/)*([\w-]+\.ts')/g, '$1./$2')

/** JavaScript of the verifier, by the name of its file without `.ts`. */
export const loadVerifierModules = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && path !== COMMAND)
      .map((path) => [basename(path, '.ts'), besideEachOther(stripTypeScriptTypes(readFileSync(new URL(path, SOURCES), 'utf8')))]),
  )

/** The page loads its modules, the key set, heads and the named record from this service. The record's content is never sent. */
export const VERIFY_POLICY = pagePolicy({ scripts: " 'self'", more: " connect-src 'self';" })

/** Page that checks a record; `record` in its address names one of this service, whose records name `baseUrl`. */
export const verifyPage = (baseUrl: string): string =>
  page(
    {
      title: 'Verify a record',
      lead: 'Checks a badge, a receipt of work or of a funding, a dispute file or a session history in this browser. The record is sent nowhere.',
      script: '/verify/page.ts',
      place: '/verify',
    },
    html`<noscript><p class="note">This page needs its script, which this service serves. With scripts off, save the record and the <a href="/.well-known/jwks.json">key set</a>, and run in a checkout of the project: <code>npm run verify-record -- record.json --jwks key-set.json</code></p></noscript>
<div id="result" role="status"></div>
<div id="more"></div>
<form id="form" data-service="${baseUrl}">
<div id="drop" class="drop">
<label for="files">Record, as a file</label><input type="file" id="files" multiple accept=".json,application/json">
<p class="soft">Or drop it anywhere on this page, or paste it. A key set and heads that you kept can come with it: the page knows them by their content.</p>
</div>
<ul id="kept"></ul>
<label for="record">or as text</label><textarea id="record" rows="6" spellcheck="false"></textarea>
<button>Verify</button>
<details><summary>Other choices</summary>
<label for="chain">Chain id that you expect</label><input id="chain" inputmode="numeric">
<label for="now">Time to take for now; without one the clock of this computer</label><input id="now" placeholder="2026-01-02T03:04:05.000Z">
<label for="unpublished">Accept a history of which no head has an entry yet</label><input type="checkbox" id="unpublished">
</details>
</form>
<h2>Whose keys you trust</h2>
<p>A signature shows which key signed a record. Without a key set of your own, the page asks this service for its keys and its session log, and a service can say tomorrow what it did not say today. Keep the <a href="/.well-known/jwks.json" download="key-set.json">key set</a>, and add it the next time.</p>`,
  )
