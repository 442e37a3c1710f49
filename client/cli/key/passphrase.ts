import { keyError } from '../failures.ts'
import type { Output } from '../output/output.ts'
import { isReadableByOthers, readFileIfThere } from '../state/files.ts'
import { prompt } from './prompt.ts'

export interface PassphraseSources {
  /** Path of `--passphrase-file`. */
  file: string | undefined
  /** Variable `AGENT_WORK_PASSPHRASE`. */
  variable: string | undefined
  signal: AbortSignal
  output: Pick<Output, 'hide' | 'warn'>
}

/** What a passphrase is for: to open a key, to make one, or to open one where no person can be asked. */
export type PassphrasePurpose = 'open' | 'create' | 'unattended'

const WAYS = [
  'Give it with --passphrase-file FILE, in the variable AGENT_WORK_PASSPHRASE, or at a terminal.',
  'A file of mode 0600 is better than a variable: other programs can see variables.',
]

const UNATTENDED_WAYS = ['Give it with --passphrase-file FILE, or in the variable AGENT_WORK_PASSPHRASE.', ...WAYS.slice(1)]

const fromFile = (path: string, warn: (text: string) => void): string => {
  const text = readFileIfThere(path)?.replace(/\r?\n$/, '')
  if (text === undefined) throw keyError(`The passphrase file ${path} does not exist.`)
  if (text === '' || text.includes('\n')) throw keyError(`The passphrase file ${path} does not hold exactly one line.`)
  if (isReadableByOthers(path)) warn(`Other users can read ${path}, and it holds a passphrase: chmod 600 it.`)
  return text
}

const ask = async (question: string, signal: AbortSignal): Promise<string> => {
  const text = await prompt(question, { echo: false, signal })
  if (text === undefined) throw keyError('The key needs a passphrase, and there is no terminal to ask at.', ...WAYS)
  if (text === '') throw keyError('The passphrase is empty.')
  return text
}

/** Passphrase of a key: from a file, the variable, or the terminal. A new one is asked for twice. */
export const getPassphrase = async ({ file, variable, signal, output }: PassphraseSources, purpose: PassphrasePurpose): Promise<string> => {
  const given = file !== undefined ? fromFile(file, output.warn) : variable === '' ? undefined : variable
  if (given === undefined && purpose === 'unattended')
    throw keyError('The key needs a passphrase, and this command asks for none.', ...UNATTENDED_WAYS)
  const text = given ?? (await ask(purpose === 'create' ? 'New passphrase: ' : 'Passphrase: ', signal))
  output.hide(text)
  if (given === undefined && purpose === 'create' && (await ask('The same again: ', signal)) !== text)
    throw keyError('The two passphrases differ.')
  return text
}
