import { closeSync, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { CliError, EXIT } from '../failures.ts'

const [CTRL_C, CTRL_D, CTRL_U, BACKSPACE, DELETE] = ['\x03', '\x04', '\x15', '\b', '\x7f']
const LENGTH_LIMIT = 1024

/** Terminal of the user, also while standard input is a file; undefined without one. */
const openTerminal = (): { terminal: ReadStream; close: () => void } | undefined => {
  if (process.stdin.isTTY) return { terminal: process.stdin as ReadStream, close: () => process.stdin.pause() }
  try {
    const descriptor = openSync('/dev/tty', 'r+')
    try {
      const terminal = new ReadStream(descriptor)
      return { terminal, close: () => terminal.destroy() }
    } catch {
      closeSync(descriptor)
      return undefined
    }
  } catch {
    return undefined
  }
}

const interrupted = (): CliError =>
  new CliError(EXIT.interrupted, { title: 'Interrupted', code: 'interrupted', detail: 'Ctrl-C ended the question.' })

/** Collects characters until Enter. Returns the text, or undefined while it goes on. */
const createLine = () => {
  let characters: string[] = []
  return (chunk: string): string | undefined => {
    for (const character of chunk) {
      if (character === CTRL_C) throw interrupted()
      if (character === '\r' || character === '\n' || character === CTRL_D) return characters.join('')
      if (character === BACKSPACE || character === DELETE) characters = characters.slice(0, -1)
      else if (character === CTRL_U) characters = []
      else if (character >= ' ' && characters.length < LENGTH_LIMIT) characters.push(character)
    }
    return undefined
  }
}

interface PromptOptions {
  /** False for text that stays invisible. */
  echo: boolean
  signal: AbortSignal
}

/** Asks at the terminal, on standard error. Returns undefined without a terminal. */
export const prompt = async (question: string, { echo, signal }: PromptOptions): Promise<string | undefined> => {
  const opened = openTerminal()
  if (opened === undefined) return undefined
  const { terminal, close } = opened
  const takeChunk = createLine()
  // Before the question: what is typed at once would be shown.
  terminal.setRawMode(true)
  process.stderr.write(question)
  terminal.setEncoding('utf8')
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.on('data', (chunk: string) => {
        try {
          const line = takeChunk(chunk)
          if (echo) process.stderr.write(chunk.replaceAll(/[^\x20-\x7e]/g, ''))
          if (line !== undefined) resolve(line)
        } catch (error) {
          reject(error)
        }
      })
      terminal.on('end', () => reject(interrupted()))
      terminal.on('error', reject)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      terminal.resume()
    })
  } finally {
    terminal.removeAllListeners('data')
    terminal.setRawMode(false)
    close()
    process.stderr.write('\n')
  }
}
