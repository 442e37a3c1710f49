import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readKeystore } from '../../../client/cli/key/keystore.ts'

const MAIN = fileURLToPath(new URL('../../../client/cli/main.ts', import.meta.url))
const DIRECTORY = mkdtempSync(join(tmpdir(), 'prompt-'))
/** Refuses the sign-in at once: what a terminal shows comes before. */
const service = createServer((_request, response) => response.writeHead(404).end())
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  service.close()
  rmSync(DIRECTORY, { recursive: true })
})

/** The program of util-linux that gives a process a terminal; that of other systems has other options. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** Runs `login` at a terminal without a service, and types an answer after each question. */
const loginAtTerminal = async (dir: string, dialogue: readonly (readonly [question: string, answer: string])[]) => {
  const { port } = service.address() as AddressInfo
  const command = `'${process.execPath}' '${MAIN}' login --base-url http://127.0.0.1:${port} --dir '${dir}'`
  const { PATH = '' } = process.env
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH, HOME: DIRECTORY, TERM: 'dumb', SHELL: '/bin/sh' } })
  let output = ''
  let answered = 0
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const [question, answer] = dialogue[answered] ?? []
    if (question === undefined || !output.includes(question)) return
    answered += 1
    child.stdin.write(answer ?? '')
  })
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exit, output }
}

const atTerminal = hasTerminal ? describe : describe.skip

atTerminal('the question for a passphrase', () => {
  test('is asked twice for a new key, and shows nothing of the answer', async () => {
    const dir = join(DIRECTORY, 'new')
    const typed = 'a wrong Xword\x7f\x7f\x7f\x7f\x7fword'
    const { output } = await loginAtTerminal(dir, [
      ['New passphrase: ', `${typed}\r`],
      ['The same again: ', 'a wrong word\r'],
    ])
    expect(output).not.toMatch(/wrong|word\b(?!s)/)
    const opened = readKeystore(readFileSync(join(dir, 'key.json'), 'utf8'))('a wrong word')
    await expect(opened).resolves.toHaveLength(32)
  })

  test('refuses two answers that differ, and makes no key', async () => {
    const dir = join(DIRECTORY, 'differ')
    const { exit, output } = await loginAtTerminal(dir, [
      ['New passphrase: ', 'first\r'],
      ['The same again: ', 'second\r'],
    ])
    expect([exit, output]).toEqual([3, expect.stringContaining('The two passphrases differ.')])
    expect(existsSync(join(dir, 'key.json'))).toBe(false)
  })

  test('ends with 130 at Ctrl-C, and makes no key', async () => {
    const dir = join(DIRECTORY, 'interrupted')
    const { exit } = await loginAtTerminal(dir, [['New passphrase: ', 'half\x03']])
    expect(exit).toBe(130)
    expect(existsSync(join(dir, 'key.json'))).toBe(false)
  })
})
