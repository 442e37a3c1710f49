// The page that checks a record in the browser. What the reader chooses stays in the page.
import { checkRecord, readChainId, readHeads, readNow, reportLines } from './check.ts'
import { getText, parseStrict, Refused } from './json.ts'

/** As much of the document as the page uses. */
interface Field {
  value: string
  checked?: boolean
  textContent: string | null
  className: string
  files?: { readonly [place: number]: { arrayBuffer(): Promise<ArrayBuffer> } | undefined } | null
  addEventListener(event: string, listener: (event: { preventDefault(): void }) => void): void
}
declare const document: { getElementById(id: string): Field | null }
declare const location: { search: string; origin: string }

const field = (id: string): Field => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

const fileText = async (id: string): Promise<string | null> => {
  const bytes = await field(id).files?.[0]?.arrayBuffer()
  return bytes === undefined ? null : getText(bytes, 'the file')
}

const readKeySet = async (): Promise<unknown> => {
  const chosen = await fileText('keys')
  if (chosen !== null) return parseStrict(chosen)
  const answer = await fetch('/.well-known/jwks.json')
  if (!answer.ok) throw new Error(`the key set of this service answers ${answer.status}`)
  return parseStrict(await answer.text())
}

const check = async (): Promise<string[]> => {
  const [file, pasted] = [await fileText('file'), field('record').value]
  if (file !== null && pasted.trim() !== '') throw new Error('choose a file or paste a text, not both')
  const heads = await fileText('heads')
  const evidence = {
    keySet: await readKeySet(),
    heads: heads === null ? [] : readHeads(parseStrict(heads)),
    chainId: readChainId(field('chain').value),
    now: readNow(field('now').value),
    unpublished: field('unpublished').checked === true,
  }
  return reportLines(await checkRecord(parseStrict(file ?? pasted), evidence))
}

const show = (lines: readonly string[], className: string): void => {
  const result = field('result')
  result.textContent = lines.join('\n')
  result.className = className
}

let runs = 0
/** Shows the verdict of the newest run alone: a slower one must not stand over another record. */
const checkAndShow = async (prepare: () => Promise<void> = async () => undefined): Promise<void> => {
  runs += 1
  const run = runs
  show([], '')
  const showNewest: typeof show = (lines, className) => (run === runs ? show(lines, className) : undefined)
  try {
    await prepare()
    showNewest(await check(), 'sound')
  } catch (error) {
    showNewest([`${error instanceof Refused ? 'Refused' : 'Not checked'}: ${error instanceof Error ? error.message : error}.`], 'refused')
  }
}

field('form').addEventListener('submit', (event) => {
  event.preventDefault()
  void checkAndShow()
})

/** Fetches the record that the address of the page names, from this service alone. */
const fetchNamed = async (name: string): Promise<void> => {
  const { origin, href } = new URL(name, location.origin)
  if (origin !== location.origin) throw new Error('the address is not of this service')
  const answer = await fetch(href, { headers: { accept: 'application/json' }, redirect: 'error' })
  if (!answer.ok) throw new Error(`this service answers ${answer.status} for the record`)
  field('record').value = getText(await answer.arrayBuffer(), 'the record')
}

const named = new URLSearchParams(location.search).get('record')
if (named !== null) void checkAndShow(() => fetchNamed(named))
