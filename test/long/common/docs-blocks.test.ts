// Every block of commands of /docs runs as written on a running stack, once a reader has set what its page names.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { isCalledAlone } from '../../../api/discovery/pages/docs-snippets.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'
import { errorsOf, type OperationSpec } from '../../../schemas/operations/operation.ts'
import { OPERATIONS, type OperationId, operationList } from '../../../schemas/operations/registry.ts'
import { solved } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { oneIn } from '../../support/cases/sample.ts'
import { WEBHOOK_HOST } from '../../support/webhooks/receiver.ts'
import { type Block, type DocsPage, type Kind, readPages } from '../support/docs-blocks/read.ts'
import { prepareHome, type Ran, runInBash, runModules, runProgram, typeFaults, writeModules } from '../support/docs-blocks/run.ts'
import { METRICS_SECRET, type Seeded, seed, type Variables } from '../support/docs-blocks/things.ts'

const world = useWorld({
  env: { SECURITY_CONTACT: 'mailto:security@work.example', METRICS_TOKEN: METRICS_SECRET, LOCAL_CALLER_HOSTS: WEBHOOK_HOST },
})
const engine = useTemporalClient(world)

/** Operations whose block is refused: it states the price of a run, or another one listed the job of the example before. */
const REFUSED: Readonly<Record<Kind, Readonly<Partial<Record<OperationId, ErrorCode>>>>> = {
  curl: { startVerificationRun: 'verification_payment_required' },
  TypeScript: { createJob: 'job_exists', startVerificationRun: 'verification_payment_required' },
  'Command line': {},
}

const home = mkdtempSync(join(tmpdir(), 'agent-work-docs-'))
let pages: DocsPage[]
let seeded: Seeded
let env: Record<string, string>

beforeAll(async () => {
  env = prepareHome(join(home, 'reader'))
  seeded = await seed(world(), engine)
  pages = await readPages(world().base)
}, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const pageOf = (path: string): DocsPage => {
  const page = pages.find((one) => one.path === path)
  if (page === undefined) throw new Error(`there is no page ${path}`)
  return page
}
const aloneAt = (path: string, heading: string): string[] =>
  pageOf(path)
    .alone.filter((one) => one.heading === heading)
    .map((one) => one.text)
const specOf = (id: string): OperationSpec => OPERATIONS[id as OperationId]

/** Blocks of a kind, or one in `share`, with what their page lets a reader set. One after the other: some things take transactions of one sender. */
const blocksOf = async (kind: Kind, share = 1) => {
  const all = pages.flatMap(({ blocks }) => blocks).filter((block) => block.kind === kind)
  const found = oneIn(share, all)
  const prepared: (Block & { variables: Variables })[] = []
  for (const block of found) prepared.push({ ...block, variables: await seeded.valuesFor(block.operation, pageOf(block.page).variables) })
  return prepared
}

/** What is wrong with the answer to a block: anything but success, or the refusal that is expected here. */
const answerFault = ({ operation, kind }: Pick<Block, 'operation' | 'kind'>, status: number, code: string | undefined): string[] => {
  const refusal = REFUSED[kind][operation as OperationId]
  const isSuccess = status === 200 || (specOf(operation).method === 'POST' && status > 200 && status < 300)
  const isExpected = refusal === undefined ? isSuccess : code === refusal && errorsOf(specOf(operation)).includes(refusal)
  return isExpected ? [] : [`${operation}: ${status} ${code ?? ''}`]
}

const codeOf = (body: string): string | undefined => {
  try {
    return (JSON.parse(body) as { code?: string }).code
  } catch {
    return undefined
  }
}

/** Status of the last answer that curl got, which it wrote to standard error. */
const statusOf = ({ error }: Ran): number => Number(/(\d{3})\s*$/.exec(error)?.[1])

describe('the documentation', () => {
  test('has a block of curl and one of TypeScript for each operation, and names what they need', () => {
    const blocks = pages.flatMap((page) => page.blocks)
    const named = (kind: Kind): string[] => blocks.filter((block) => block.kind === kind).map(({ operation }) => operation)
    const all = operationList
      .filter(isCalledAlone)
      .map(({ id }) => id)
      .sort()
    expect([named('curl').sort(), named('TypeScript').sort()]).toEqual([all, all])
    expect(named('Command line').length).toBeGreaterThan(10)
    const unnamed = ({ page, text: block }: Block): string[] =>
      [...block.matchAll(/\$(?:\{)?([A-Z][A-Z0-9_]*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !pageOf(page).variables.includes(name))
    expect(blocks.flatMap((block) => unnamed(block).map((name) => `${block.operation}: ${name}`))).toEqual([])
  })

  test('has no block of commands beside those that run here', () => {
    const known = ['run', 'start', 'key-file', 'viem', 'wallet']
    expect(
      pages.flatMap(({ path, alone }) => alone.filter(({ heading }) => !known.includes(heading)).map((one) => [path, one.text])),
    ).toEqual([])
  })
})

describe('the blocks of an operation', () => {
  test('of curl are answered as the operation says', async () => {
    const blocks = await blocksOf('curl')
    const streams = join(env.HOME ?? '', 'streams')
    const ran = await runInBash(
      blocks.map(({ operation, variables, ...block }) => ({
        ...block,
        variables: { ...variables, ...(specOf(operation).streams && { CURL_HOME: streams }) },
      })),
      env,
      home,
      'curl',
    )
    const faults = blocks.flatMap((block, index) => {
      const { operation } = block
      const one = ran[index] ?? { code: -1, out: '', error: '' }
      const isEnded = one.code === 0 || (specOf(operation).streams === true && one.code === 28)
      return [
        ...(isEnded ? [] : [`${operation}: exit code ${one.code} ${one.error}`]),
        ...answerFault(block, statusOf(one), codeOf(one.out)),
      ]
    })
    expect(faults).toEqual([])
  })

  test('of TypeScript compile, and run', async () => {
    // A sixth of them in a gate; `npm run test:whole -- test/long/common/docs-blocks` runs all.
    const found = await blocksOf('TypeScript', 6)
    // A stream stays open while the others run, and prints what they do.
    const blocks = found.toSorted(
      (left, right) => Number(specOf(right.operation).streams ?? 0) - Number(specOf(left.operation).streams ?? 0),
    )
    const dir = join(home, 'typescript')
    const files = writeModules(dir, [
      ...blocks.map(({ page, text: block }) => `${aloneAt(page, 'run')[0]}\n${block}`),
      ...aloneAt('/docs/sign-in', 'viem'),
    ])
    expect(await typeFaults(dir)).toEqual([])
    const runs = blocks.map(({ operation, variables }, index) => ({
      file: files[index] ?? '',
      variables,
      streams: specOf(operation).streams === true,
    }))
    const signIn = { file: files.at(-1) ?? '', variables: {}, streams: false }
    const outcomes = await runModules(dir, [...runs, signIn], env)
    const faults = blocks.flatMap((block, index) => {
      const { printed, failure } = outcomes[index] ?? { printed: 0, failure: null }
      if (failure === null) return printed === 0 ? [`${block.operation} printed nothing`] : answerFault(block, 200, undefined)
      if (failure.status === undefined) return [`${block.operation}: ${failure.name} ${failure.message}`]
      return answerFault(block, failure.status, failure.code)
    })
    expect([faults, outcomes.at(-1)]).toEqual([[], { printed: 1, failure: null }])
  })

  test('of the command line end with the exit code 0', async () => {
    const blocks = (await blocksOf('Command line')).filter(({ page }) => page !== '/docs/sign-in')
    const key = join(home, 'key.hex')
    writeFileSync(key, seeded.key, { mode: 0o600 })
    const service = aloneAt('/docs/jobs', 'run').at(-1) ?? ''
    const login = { text: `${service}\nagent-work login --key-file ${key}`, variables: {} }
    // There is no terminal: the option answers the question of a command that moves money, as the reader does.
    const answered = (text: string): string => text.replace(/^agent-work (claim|deposit|recall|withdraw)\b.*$/m, '$& --yes')
    const ran = await runInBash(
      [login, ...blocks.map((block) => ({ ...block, text: `${service}\n${answered(block.text)}` }))],
      env,
      home,
      'cli',
    )
    const faults = ran.flatMap(({ code, error }, index) => (code === 0 ? [] : [`${blocks[index - 1]?.operation}: ${code} ${error}`]))
    expect(faults).toEqual([])
  })
})

describe('signing in', () => {
  const newReader = (name: string): Record<string, string> => ({ ...env, XDG_CONFIG_HOME: join(home, name) })

  test('with a key file makes one, and the commands of the page use it', async () => {
    const found = (await blocksOf('Command line')).filter(({ page }) => page === '/docs/sign-in')
    // The end of the sign-in last.
    const blocks = found.toSorted((left, right) => Number(left.operation === 'logout') - Number(right.operation === 'logout'))
    const service = aloneAt('/docs/sign-in', 'run').at(-1) ?? ''
    const texts = [...aloneAt('/docs/sign-in', 'key-file'), ...blocks.map((block) => `${service}\n${block.text}`)]
    const ran = await runInBash(
      texts.map((block) => ({ text: block, variables: {} })),
      newReader('key-file'),
      home,
      'sign-in',
    )
    expect(ran.map(({ code, error }) => (code === 0 ? '' : error))).toEqual(texts.map(() => ''))
    expect(texts).toHaveLength(8)
  })

  test('with a wallet in a browser prints the line that the wallet runs, and takes its signature', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const [block = ''] = aloneAt('/docs/sign-in', 'wallet')
    const child = spawn('bash', ['-euc', block], { env: { ...env, WALLET: account.address }, cwd: home })
    const errors = text(child.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { value: line } = await lines.next()
    const ethereum = {
      request: ({ method, params: [message, wallet] }: { method: string; params: [string, string] }) => {
        expect([method, wallet]).toEqual(['personal_sign', account.address])
        return account.signMessage({ message })
      },
    }
    // The console of a browser: the line has `ethereum`, and can wait.
    const { constructor: AsyncFunction } = async () => undefined
    const signature = await (AsyncFunction as FunctionConstructor)('ethereum', `return ${line}`)(ethereum)
    child.stdin.end(`${signature}\n`)
    let rest = ''
    for (let next = await lines.next(); !next.done; next = await lines.next()) rest += next.value
    expect({ session: JSON.parse(rest).wallet, errors: await errors }).toMatchObject({ session: account.address.toLowerCase() })
  })
})

test('the first steps earn a badge', async () => {
  const [block = ''] = aloneAt('/docs', 'start')
  const query = 'claimable=true&waiverEligible=true&tier=starter&verifierMode=benchmark&limit=1'
  const { jobs } = await seeded.agent.get(`/jobs?${query}`)
  const work = await solved(seeded.agent, jobs[0].id)
  const editor = join(home, 'editor.sh')
  writeFileSync(editor, `#!/bin/sh\nprintf %s "$WORK" > "$1"\n`, { mode: 0o755 })
  const folder = join(home, 'first-steps')
  mkdirSync(folder)
  const own = { ...env, XDG_CONFIG_HOME: join(folder, 'config'), EDITOR: editor, WORK: JSON.stringify(work) }
  const ran = await runProgram('bash', ['-euc', block], own, folder)
  expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/badge/i) })
})
