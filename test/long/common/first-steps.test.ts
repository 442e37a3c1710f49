import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { USUAL_PORTS } from '../../../local/ports.ts'
import { useWorld } from '../../e2e/support/world.ts'

// A stack of this file alone: the examples need jobs that other files have not done.
const world = useWorld({ env: {} })
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs a command to its end. */
const run = (command: string, args: string[], env: Record<string, string>, cwd: string): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { env, cwd, maxBuffer: 1e8 }, (_error, out, error) =>
      resolve({ code: child.exitCode, output: out + error }),
    )
    child.stdin?.end()
  })

/** Lines of the documents that these tests do not run, and why. */
const EXCEPTIONS: [RegExp, string][] = [
  [/^npm ci$/, 'the copy has the packages, and what its script prepares'],
  [/^npm ci && npm start$/, 'the stack of this test runs'],
  [/^npm start$/, 'the same'],
  [/^npm ci && npm run demo -- --once$/, 'examples.test.ts proves the demo'],
  [/^npm ci && npm test$/, 'runs this file, too'],
  [
    /^npm pack .\/client$|^npm install .*\.tgz viem$|^npx agent-work help$/,
    'test/long/client/pack.test.ts packs, installs and runs the package',
  ],
  [/^agent-work post /, 'test/long/client/posting.test.ts posts jobs; the names stand for those of a reader'],
  [/^agent-work admin /, 'test/long/client/admin.test.ts runs the commands of an operator; the names stand for those of a reader'],
  [/0x…/, 'test/long/common/examples.test.ts runs the example with wallets of its own; these stand for those of a reader'],
  [/^npm run verify-record -- /, 'test/examples reads records; the addresses stand for those of a reader'],
  [/^\{ "mcpServers": .*"url": "ADDRESS\/mcp"/, 'is the configuration of another program'],
]
const isException = (line: string): boolean => EXCEPTIONS.some(([pattern]) => pattern.test(line))

/** A fenced block of a document: its lines without comments and empty ones. */
interface Block {
  file: string
  language: string
  text: string
  lines: string[]
}
const BLOCKS: Block[] = [
  'README.md',
  'client/README.md',
  'client/cli/README.md',
  ...globSync('examples/*/README.md', { cwd: ROOT }).sort(),
].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => {
    const lines = text.split('\n').map((line) => line.replace(/(^|\s+)#.*$/, '').trimEnd())
    return { file, language, text, lines: lines.filter((line) => line !== '') }
  }),
)
const TO_RUN = BLOCKS.filter(({ lines }) => !lines.every(isException)).map(
  (block) => [`${block.file}: ${block.lines.find((line) => !isException(line))}`, block] as const,
)

/** The Node of this machine, which a reader has; `npm run` uses the one that `npm ci` installs. */
const PATHS = (process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'))
const HOST_NODE = PATHS.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath
const HOST_VERSION = execFileSync(HOST_NODE, ['--version'], { encoding: 'utf8' }).trim()
const REMARK = HOST_VERSION === process.version ? ', for this machine has no second Node' : ''

describe(`first steps on Node ${HOST_VERSION}${REMARK}`, () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-work-steps-'))
  const copy = join(home, 'checkout')
  /** Usual ports that a block asked. */
  const asked: number[] = []
  const decoys: Server[] = []
  const environment = {
    PATH: [dirname(HOST_NODE), ...PATHS].join(':'),
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    AGENT_WORK_PASSPHRASE: 'a passphrase of first steps',
    npm_config_update_notifier: 'false',
  }

  beforeAll(async () => {
    for (const file of execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean))
      cpSync(join(ROOT, file), join(copy, file))
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    symlinkSync(world().dir, join(copy, '.local'))
    expect(await run('npm', ['run', 'prepare'], environment, copy)).toMatchObject({ code: 0 })
    for (const port of Object.values(USUAL_PORTS)) {
      const decoy = createServer((socket) => {
        asked.push(port)
        socket.destroy()
      })
      // A port that another program has is left.
      const listens = await new Promise((resolve) =>
        decoy.once('error', () => resolve(false)).listen({ port, host: '127.0.0.1' }, () => resolve(true)),
      )
      if (listens) decoys.push(decoy)
    }
  })
  afterAll(() => {
    for (const decoy of decoys) decoy.close()
    rmSync(home, { recursive: true, force: true })
  })

  test('every exception is of a line of a document, and no block names a usual port', () => {
    const lines = BLOCKS.flatMap((block) => block.lines)
    expect(EXCEPTIONS.filter(([pattern]) => !lines.some((line) => pattern.test(line)))).toEqual([])
    const ports = new RegExp(`:(${Object.values(USUAL_PORTS).join('|')})\\b`)
    expect(lines.filter((line) => ports.test(line))).toEqual([])
  })

  /** A job for the `JOB` of the command line, and its keywords. */
  const findWork = async (): Promise<{ job: string; keywords: string }> => {
    const query = 'format=compact&claimable=true&waiverEligible=true&tier=starter&verifierMode=benchmark&limit=1'
    const { jobs } = (await (await fetch(`${world().base}/jobs?${query}`)).json()) as { jobs: { id: string }[] }
    const job = jobs[0]?.id ?? 'none'
    const definition = (await (await fetch(`${world().base}/jobs/definition?jobId=${job}`)).json()) as {
      verifierConfig: { requiredKeywords: string[] }
    }
    return { job, keywords: definition.verifierConfig.requiredKeywords.join(', ') }
  }
  /** The reader's own part: fills the strings of work.json that stand for work. */
  const FILL = `node -e 'const [text] = process.argv.slice(1), old = fs.readFileSync("work.json", "utf8")
    fs.writeFileSync("work.json", old.replace(/"<[^"]*>"/g, JSON.stringify(text)))'`

  test.each(TO_RUN)('%s', async (_title, { file, language, text, lines }) => {
    if (language === 'ts') {
      // A later block of the same document runs the file.
      writeFileSync(join(copy, 'first.ts'), text)
      expect(
        BLOCKS.filter((block) => block.file === file && block.language === 'sh')
          .map((block) => block.text)
          .join(''),
      ).toContain('first.ts')
      return
    }
    if (language === 'json') {
      // The entry of a host's configuration.
      expect(JSON.parse(text)).toMatchObject({ mcpServers: { 'agent-work': { command: 'npx' } } })
      return
    }
    expect(language).toBe('sh')
    const { job, keywords } = await findWork()
    const script = lines
      .filter((line) => !isException(line))
      .flatMap((line) => (line.startsWith('agent-work submit') ? [`${FILL} '${keywords}'`, line] : [line]))
      .map((line) => line.replaceAll(/\bJOB\b/g, job))
    const { code, output } = await run('bash', ['-ec', ['shopt -s expand_aliases', ...script].join('\n')], environment, copy)
    expect({ asked: asked.splice(0), failure: code === 0 ? '' : output }).toEqual({ asked: [], failure: '' })
  })

  /** Commands that a page shows, as a reader copies them. */
  const commandsOf = async (path: string): Promise<string[]> => {
    const text = await (await fetch(world().base + path, { headers: { accept: 'text/html' } })).text()
    const shown = [...text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, command = '']) => command)
    return shown.map((command) => command.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }

  test('the commands of the page at / run as they stand', async () => {
    const [http = '', tools = '', ...others] = await commandsOf('/')
    expect(others).toHaveLength(1)
    for (const command of [http, ...others]) {
      const { code, output } = await run('bash', ['-ec', command], environment, copy)
      expect({ command, code, output, asked: asked.splice(0) }).toMatchObject({ code: 0, output: expect.stringMatching(/./), asked: [] })
      expect(output).not.toContain('"status":4')
    }
    const { url } = JSON.parse(tools).mcpServers['agent-work']
    expect(await (await fetch(url)).json()).toMatchObject({ type: 'mcp_protocol_endpoint' })
  })

  test('the first command of the page of a job claims it', async () => {
    const { job } = await findWork()
    const [command = ''] = await commandsOf(`/jobs/definition?jobId=${job}`)
    const script = [`npm run agent-work -- login --base-url ${world().base}`, command].join('\n')
    const { code, output } = await run('bash', ['-ec', script], environment, copy)
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(job) })
  })

  test.each(['npm run agent', 'sh examples/agent/agent.sh', 'npm run agent:client', 'npm run agent:mcp', 'npm run agent-work -- jobs'])(
    '%s refuses where no stack of the checkout runs, and asks no port',
    async (command) => {
      rmSync(join(copy, '.local'), { force: true })
      const { code, output } = await run('bash', ['-c', command], environment, copy)
      expect({ output, asked: asked.splice(0) }).toEqual({ output: expect.stringContaining('No stack of this checkout runs'), asked: [] })
      expect(output).toContain('npm start')
      expect(code).not.toBe(0)
    },
  )
})
