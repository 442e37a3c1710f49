// Load by anonymous callers, in a process of its own: lists for random wallets without pause, and long polls that are asked again when answered.
import { randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'

const [base = '', lists = '', polls = '', firstSession = '', sessions = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const answered: Record<string, number> = {}

/** Resolves with the status once the whole answer is there. */
const ask = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(base + path, { agent }, (response) => {
      const outcome = `${path.split('?')[0]} ${response.statusCode}`
      answered[outcome] = (answered[outcome] ?? 0) + 1
      response.resume().on('end', resolve)
    }).on('error', reject)
  })

const keepAsking = async (path: () => string): Promise<never> => {
  for (;;) await ask(path())
}

const many = (count: string, path: (index: number) => string): void => {
  for (let index = 0; index < Number(count); index += 1) void keepAsking(() => path(index))
}

many(polls, (index) => `/verifier/result?sessionId=session-${Number(firstSession) + 6 * (index % Number(sessions))}&waitSeconds=25`)
many(lists, () => `/jobs?limit=100&wallet=0x${randomBytes(20).toString('hex')}`)
process.on('message', () => process.send?.(answered))
