import { buffer } from 'node:stream/consumers'
import { isObject, parseJson } from '../../src/json.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { FILE_LIMIT, readFileIfThere, readText } from '../state/files.ts'

const readInput = async ({ signal, output }: Context): Promise<Buffer> => {
  if (process.stdin.isTTY) output.note('Type it, and end it with Ctrl-D on an empty line.')
  const stop = (): void => void process.stdin.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const bytes = await buffer(process.stdin)
    if (bytes.length > FILE_LIMIT) throw usageError(`Standard input is larger than ${FILE_LIMIT} bytes.`)
    return bytes
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Text of a file, or of standard input for `-`. */
const readSource = async (context: Context, file: string): Promise<string> => {
  const text = file === '-' ? readText(await readInput(context), 'Standard input') : readFileIfThere(file)
  if (text === undefined) throw usageError(`The file ${file} does not exist.`)
  return text
}

const nameOf = (file: string): string => (file === '-' ? 'Standard input' : file)

/** Content of a file, or of standard input for `-`: JSON, or with `--text` the text itself. */
export const readWork = async (context: Context, file: string): Promise<unknown> => {
  const text = await readSource(context, file)
  if (context.options.text === true) return text.replace(/\r?\n$/, '')
  const work = parseJson(text)
  if (work === undefined) throw usageError(`${nameOf(file)} is not JSON.`, 'For a job without a schema, add --text.')
  return work
}

/** JSON object in a file, or in standard input for `-`. */
export const readMembers = async (context: Context, file: string): Promise<Record<string, unknown>> => {
  const members = parseJson(await readSource(context, file))
  if (!isObject(members)) throw usageError(`${nameOf(file)} is not a JSON object.`)
  return members
}
