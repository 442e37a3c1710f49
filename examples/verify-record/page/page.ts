// The page that checks records in the browser. What the reader drops, pastes or chooses stays in the page.
import { kindOf, readChainId, readNow } from '../check.ts'
import { getText, parseStrict } from '../encoding/json.ts'
import { type Input, type Kept, type OwnService, type Sorted, sortInputs } from '../evidence.ts'
import { type Choices, checkText, hashOfText, shortened } from '../result.ts'
import { element, getElement, type PageEvent, type PageFile, pageDocument, type Transfer } from './document.ts'
import { keptLine, resultParts } from './page-parts.ts'

declare const location: { search: string; origin: string }

/** Largest file that is read, in MB: the heads of years are smaller. */
const MOST_MB = 64

/** Asks this service. Throws where it cannot be reached. */
const ask = (address: string): Promise<Response> =>
  fetch(address, { headers: { accept: 'application/json' }, redirect: 'error' }).catch(() => {
    throw new Error('it cannot be reached')
  })

const load = async (address: string): Promise<unknown> => {
  const answer = await ask(address)
  if (!answer.ok) throw new Error(`it answers ${answer.status}`)
  return parseStrict(getText(await answer.arrayBuffer(), 'its answer'))
}

const own: OwnService = {
  address: getElement('form').dataset.service ?? location.origin,
  origin: location.origin,
  load,
}

/** What the page has: records to check, and what the reader kept to check them with. */
let records: readonly Input[] = []
let kept: Pick<Sorted, 'keySet' | 'heads'> = { keySet: null, heads: null }

const take = (inputs: readonly Input[]): void => {
  const { records: found, keySet, heads } = sortInputs(inputs)
  if (found.length > 0) records = found
  kept = { keySet: keySet ?? kept.keySet, heads: heads ?? kept.heads }
}

const KEPT = { keySet: 'Key set that you kept', heads: 'Heads that you kept' } as const

const showKept = (): void => {
  const lines = (['keySet', 'heads'] as const).map((what) => {
    const found = kept[what]
    if (found === null) return []
    const remove = (): void => {
      kept = { ...kept, [what]: null }
      void checkAndShow(async () => [])
    }
    return [keptLine(KEPT[what], shortened(found.name), remove)]
  })
  getElement('kept').replaceChildren(...lines.flat())
}

const showNote = (text: string): void => {
  getElement('result').replaceChildren(element('p', { class: 'note' }, text))
  getElement('more').replaceChildren()
}

const readChoices = (): Choices => ({
  chainId: readChainId(getElement('chain').value),
  now: readNow(getElement('now').value),
  unpublished: getElement('unpublished').checked,
})

const checkAll = async () => {
  const choices = readChoices()
  const evidence: Kept = { keySet: kept.keySet?.value ?? null, heads: kept.heads?.value ?? null }
  const isOneOfSeveral = records.length > 1
  const results = []
  for (const input of records) {
    const result = await checkText(input, evidence, choices, own)
    results.push(resultParts(input, result, { hash: await hashOfText(input.text), isOneOfSeveral }))
  }
  return results
}

let runs = 0
/** Checks what `prepare` reads. The newest run alone keeps its inputs and shows its result: a slower one must not replace another record. */
const checkAndShow = async (prepare: () => Promise<readonly Input[]>): Promise<void> => {
  runs += 1
  const run = runs
  showNote('Checking …')
  const show = (act: () => void): void => (run === runs ? act() : undefined)
  try {
    const inputs = await prepare()
    if (run !== runs) return
    take(inputs)
    const results = await checkAll()
    show(() => {
      showKept()
      if (results.length === 0)
        return showNote(
          kept.keySet === null && kept.heads === null ? 'Add a record first: a file, or a text.' : 'Kept. Now add the record.',
        )
      getElement('result').replaceChildren(...results.map(({ verdict }) => verdict))
      getElement('more').replaceChildren(...results.map(({ more }) => more))
    })
  } catch (error) {
    show(() => showNote(`Not checked: ${shortened(error instanceof Error ? error.message : String(error))}.`))
  }
}

const readFile = async (file: PageFile): Promise<Input> => {
  const name = `the file ${file.name}`
  if (file.size > MOST_MB * 1e6) throw new Error(`${name} is larger than ${MOST_MB} MB, and no record is`)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${name} could not be read`)
  })
  return { name, text: getText(bytes, name) }
}

/** Checks files, which replace the text of the form. */
const checkFiles = (files: ArrayLike<PageFile>): void => {
  const chosen = Array.from(files)
  void checkAndShow(async () => {
    getElement('record').value = ''
    return Promise.all(chosen.map(readFile))
  })
}

const checkWritten = (text: string): void => void checkAndShow(async () => (text.trim() === '' ? [] : [{ name: 'the text', text }]))

/** Takes the files of a drop or a paste, else its text. */
const takeTransfer = (event: PageEvent, transfer: Transfer | null | undefined): void => {
  if (transfer === null || transfer === undefined) return
  const text = transfer.getData('text/plain')
  if (transfer.files.length === 0 && text === '') return
  event.preventDefault()
  if (transfer.files.length > 0) checkFiles(transfer.files)
  else checkWritten(text)
}

const markDrop = (isOver: boolean): void => {
  getElement('drop').className = isOver ? 'drop over' : 'drop'
}

getElement('form').addEventListener('submit', (event) => {
  event.preventDefault()
  checkWritten(getElement('record').value)
})
getElement('files').addEventListener('change', () => checkFiles(getElement('files').files ?? []))
pageDocument.addEventListener('dragover', (event) => {
  event.preventDefault()
  markDrop(true)
})
pageDocument.addEventListener('dragleave', () => markDrop(false))
pageDocument.addEventListener('drop', (event) => {
  markDrop(false)
  event.preventDefault()
  takeTransfer(event, event.dataTransfer)
})
pageDocument.addEventListener('paste', (event) => {
  const hasFiles = (event.clipboardData?.files.length ?? 0) > 0
  // Text that is pasted into a field belongs there.
  const isInField = ['record', 'chain', 'now'].some((id) => event.target === getElement(id))
  if (hasFiles || !isInField) takeTransfer(event, event.clipboardData)
})

/** What the answer of this service for a record means for the reader. */
const refusalOf = (status: number): string => {
  if (status === 401 || status === 403) return 'only its parties may read this record: read it with your token, and add the file here'
  return status === 404 ? 'this service has no such record' : `this service answers ${status} for the record`
}

const isRecord = (text: string): boolean => {
  try {
    return kindOf(parseStrict(text)) !== null
  } catch {
    return false
  }
}

/** Reads the record that the address of the page names, from this service alone. */
const fetchNamed = async (name: string): Promise<Input[]> => {
  const address = URL.parse(name, location.origin)
  if (address?.origin !== location.origin)
    throw new Error(
      `the address ${name} is not of this service: open it, save the record, and add the file and the key set of that service`,
    )
  const answer = await ask(address.href)
  if (!answer.ok) throw new Error(refusalOf(answer.status))
  const text = getText(await answer.arrayBuffer(), 'the record')
  // A link must not pass the keys of the service for keys that the reader kept.
  if (!isRecord(text)) throw new Error(`the address ${name} names no record`)
  return [{ name: 'the record at this service', text }]
}

const named = new URLSearchParams(location.search).get('record')
if (named !== null) void checkAndShow(() => fetchNamed(named))
