import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BaseError, createPublicClient, http, type PublicClient, parseGwei } from 'viem'
import { z } from 'zod'
import { type ChainFile, readChainFile } from '../../schemas/chain/chain-file.ts'
import { Address, type DeploymentConfig } from '../../schemas/chain/deployment.ts'
import { exitOnBadSettings } from '../../schemas/run-process.ts'
import { SettingsError } from '../../schemas/settings-error.ts'
import { checkLines, roleTable } from '../check/report.ts'
import { deploy, fundBank, parseAmount, type Result, type Sending, seedPool } from './acts.ts'
import { readConfig } from './config.ts'
import { dryRunLines } from './dry-run.ts'
import { capOf } from './fees.ts'
import { readKeyFile } from './key-file.ts'
import { deploymentPlan } from './plan.ts'
import { Stopped } from './stopped.ts'

const USAGE = `usage: npm run contracts -- deploy --rpc URL --config FILE --deployer-key-file FILE --out chain.json [--journal FILE] [sending]
       npm run contracts -- deploy --dry-run --rpc URL --config FILE --deployer ADDRESS [--max-fee-gwei N]
       npm run contracts -- check chain.json [--rpc URL] [--config FILE] [--json]
       npm run contracts -- roles chain.json [--rpc URL] [--config FILE] [--json]
       npm run contracts -- fund-bank chain.json --amount 1000 --key-file FILE [--rpc URL] [--config FILE] [--journal FILE] [sending]
       npm run contracts -- seed-pools chain.json --pool deposit|credit --key-file FILE [--rpc URL] [--config FILE] [--journal FILE] [sending]
sending: [--max-fee-gwei N] most that a unit of gas may cost; four times the price of the start when absent
         [--retry] offer a higher fee for what is not mined, and sign again what was reverted
         [--wait SECONDS] how long to wait for each transaction; 600 when absent
The same command goes on after a cut. The journal is beside chain.json unless it is named. Key files are readable by their owner only.`

const OPTIONS = {
  rpc: { type: 'string' },
  config: { type: 'string' },
  'deployer-key-file': { type: 'string' },
  deployer: { type: 'string' },
  out: { type: 'string' },
  journal: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'max-fee-gwei': { type: 'string' },
  retry: { type: 'boolean' },
  wait: { type: 'string' },
  json: { type: 'boolean' },
  amount: { type: 'string' },
  'key-file': { type: 'string' },
  pool: { type: 'string' },
} as const

const Sent = {
  'max-fee-gwei': z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/)
    .optional(),
  retry: z.boolean().default(false),
  wait: z
    .string()
    .regex(/^\d{1,6}$/)
    .default('600'),
  journal: z.string().optional(),
}
const Read = { file: z.string(), rpc: z.string().optional(), config: z.string().optional() }

const Command = z.union([
  z.strictObject({ act: z.literal('deploy'), 'dry-run': z.literal(true), rpc: z.string(), config: z.string(), deployer: Address, ...Sent }),
  z.strictObject({
    act: z.literal('deploy'),
    'dry-run': z.undefined().optional(),
    rpc: z.string(),
    config: z.string(),
    'deployer-key-file': z.string(),
    out: z.string(),
    ...Sent,
  }),
  z.strictObject({ act: z.literal('check'), ...Read, json: z.boolean().default(false) }),
  z.strictObject({ act: z.literal('roles'), ...Read, json: z.boolean().default(false) }),
  z.strictObject({ act: z.literal('fund-bank'), ...Read, ...Sent, amount: z.string(), 'key-file': z.string() }),
  z.strictObject({ act: z.literal('seed-pools'), ...Read, ...Sent, pool: z.enum(['deposit', 'credit']), 'key-file': z.string() }),
])
type Command = z.infer<typeof Command>

/** Parses the command line; null when it is no command. */
export const readCommand = (args: string[]): Command | null => {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    const [act, file, ...more] = positionals
    return more.length > 0 ? null : Command.parse({ act, ...(file === undefined ? {} : { file }), ...values })
  } catch {
    return null
  }
}

const connect = (url: string): PublicClient => {
  if (!URL.canParse(url)) throw new SettingsError(['--rpc: not an address'])
  return createPublicClient({ transport: http(url, { retryCount: 2 }) })
}

const configIfNamed = (path: string | undefined): DeploymentConfig | undefined => (path === undefined ? undefined : readConfig(path))

type Sender = Extract<Command, { wait: string }>

const sendingOf = (command: Sender, client: PublicClient, key: Sending['key'], journal: string): Sending => ({
  client,
  key,
  journal: command.journal ?? journal,
  retry: command.retry,
  maxFee: maxFeeOf(command),
  waitMs: Number(command.wait) * 1_000,
  say: (line) => console.log(line),
})

const maxFeeOf = (command: Sender): bigint | undefined =>
  command['max-fee-gwei'] === undefined ? undefined : parseGwei(command['max-fee-gwei'])

async function runDeploy(command: Extract<Command, { act: 'deploy' }>): Promise<Result> {
  const client = connect(command.rpc)
  const config = readConfig(command.config)
  if (command['dry-run'] === true) {
    const cap = await capOf(client, maxFeeOf(command))
    const { lines, isAffordable } = await dryRunLines(client, deploymentPlan(config, command.deployer), command.deployer, {
      ...config,
      cap,
    })
    return { lines, well: isAffordable }
  }
  const key = readKeyFile('--deployer-key-file', command['deployer-key-file'])
  const sending = sendingOf(command, client, key, `${command.out}.journal.jsonl`)
  return deploy(sending, { rpcUrl: command.rpc, config, out: command.out })
}

type Reading = Extract<Command, { file: string }>

const openFile = ({ file, rpc, config }: Reading): { chain: ChainFile; client: PublicClient; config: DeploymentConfig | undefined } => {
  if (!existsSync(file)) throw new SettingsError([`${file} is not there: it is the chain file that deploy wrote`])
  const chain = readChainFile(file)
  return { chain, client: connect(rpc ?? chain.rpc.primary), config: configIfNamed(config) }
}

function run(command: Command): Promise<Result> {
  if (command.act === 'deploy') return runDeploy(command)
  const { chain, client, config } = openFile(command)
  if (command.act === 'check') return checkLines(client, chain, config, command.json)
  if (command.act === 'roles') return roleTable(client, chain, config, command.json)
  const key = readKeyFile('--key-file', command['key-file'])
  if (command.act === 'fund-bank') {
    const amount = parseAmount(command.amount, chain.asset.decimals)
    return fundBank(sendingOf(command, client, key, `${command.file}.bank.jsonl`), { chain, config, amount })
  }
  const pool = command.pool === 'deposit' ? 'depositPool' : 'creditPool'
  return seedPool(sendingOf(command, client, key, `${command.file}.${command.pool}-seed.jsonl`), { chain, config, pool })
}

/** The sentence of an error that a person can act on. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof Stopped) return error.message
  if (error instanceof BaseError) return `the node did not do what was asked: ${error.shortMessage.split('\n')[0]}`
  throw error
}

const main = async (): Promise<void> => {
  const command = readCommand(process.argv.slice(2))
  const { lines, well } =
    command === null
      ? { lines: [USAGE], well: false }
      : await run(command).catch((error: unknown) => ({ lines: [sentenceOf(error)], well: false }))
  console.log(lines.join('\n'))
  process.exitCode = well ? 0 : 1
}

if (import.meta.main) await exitOnBadSettings(main)
