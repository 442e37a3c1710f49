import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { ReadStream } from 'node:tty'
import { interrupted, refusedByUser, usageError } from '../failures.ts'

/** Terminal of the user, also while standard input is a file; undefined without one. */
const openTerminal = (): { terminal: ReadStream; close: () => void } | undefined => {
  if (process.stdin.isTTY) return { terminal: process.stdin as ReadStream, close: () => process.stdin.pause() }
  let descriptor: number | undefined
  try {
    descriptor = openSync('/dev/tty', 'r+')
    const terminal = new ReadStream(descriptor)
    return { terminal, close: () => terminal.destroy() }
  } catch {
    if (descriptor !== undefined) closeSync(descriptor)
    return undefined
  }
}

/** Asks at the terminal, on standard error; without `echo` the answer stays invisible. Returns undefined without a terminal. */
export const prompt = async (question: string, { echo, signal }: { echo: boolean; signal: AbortSignal }): Promise<string | undefined> => {
  const opened = openTerminal()
  if (opened === undefined) return undefined
  const { terminal, close } = opened
  const output = echo ? process.stderr : new Writable({ write: (_chunk, _encoding, done) => done() })
  // Before the question: what is typed at once would be shown.
  const lines = createInterface({ input: terminal, output, terminal: true, historySize: 0 })
  if (!echo) process.stderr.write(question)
  const ended = new Promise<never>((_, reject) => {
    for (const event of ['SIGINT', 'close']) lines.once(event, () => reject(interrupted('Ctrl-C ended the question.')))
  })
  try {
    return await Promise.race([lines.question(question, { signal }), ended])
  } finally {
    lines.close()
    close()
    if (!echo) process.stderr.write('\n')
  }
}

/** Asks before an effect. Throws where the user refuses, and where there is no terminal to ask at. `outcome` says what did not happen. */
export const confirm = async (
  question: string,
  { reason, outcome, signal }: { reason: string; outcome: string; signal: AbortSignal },
): Promise<void> => {
  const answer = await prompt(`${question} [y/N] `, { echo: true, signal })
  if (answer === undefined) throw usageError(`${reason} ${outcome}`)
  if (!/^y(es)?$/i.test(answer.trim())) throw refusedByUser(`You refused. ${outcome}`)
}
