// What the commands do that send transactions: deploy, fund the bank, seed the pools.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { type Address, formatUnits, type Hex, isAddressEqual, type PublicClient, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { depositPoolAbi } from '../../activities/chain/abi/deposit-pool.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { ChainFile, readFileOf } from '../../schemas/chain/chain-file.ts'
import type { DeploymentConfig } from '../../schemas/chain/deployment.ts'
import { SettingsError } from '../../schemas/settings-error.ts'
import { acceptance, holdersOf, powersOf, readHandover } from '../check/roles.ts'
import { subjectOf } from '../check.ts'
import { assertDeployerWithoutRole, sameAddress, seedOf } from './config.ts'
import { capOf } from './fees.ts'
import { type JournalHead, openJournal } from './journal.ts'
import { bankSteps, deploymentPlan, type Funding, type Plan, seedSteps } from './plan.ts'
import { hashCode, recordOf } from './record.ts'
import { planHash } from './resolve.ts'
import { runPlan } from './runner.ts'
import { Stopped } from './stopped.ts'

/** How a command sends. */
export interface Sending {
  readonly client: PublicClient
  readonly key: Hex
  readonly journal: string
  readonly retry: boolean
  readonly maxFee: bigint | undefined
  readonly waitMs: number
  readonly say: (line: string) => void
}

/** Result of a command: lines for a person, and whether all is well. */
export interface Result {
  readonly lines: string[]
  readonly well: boolean
}

const headOf = async (client: PublicClient, sender: Address, plan: Plan): Promise<JournalHead> => {
  const [chainId, genesis, hash] = await Promise.all([client.getChainId(), client.getBlock({ blockNumber: 0n }), planHash(plan)])
  return { chainId, genesis: genesis.hash, deployer: sender, plan: hash }
}

/** Runs a plan with its journal. */
async function send({ client, key, journal: path, retry, maxFee, waitMs, say }: Sending, plan: Plan, confirmations: number) {
  const sender = privateKeyToAccount(key).address
  const journal = openJournal(path, await headOf(client, sender, plan))
  try {
    const cap = await capOf(client, maxFee)
    const pollMs = confirmations === 0 ? 50 : 1_000
    const wasDone = plan.steps.every(({ name }) => journal.endOf(name) !== undefined)
    return { wasDone, ...(await runPlan({ client, plan, key, journal, cap, confirmations, retry, waitMs, pollMs, say })) }
  } finally {
    journal.close()
  }
}

/** Writes a file in one step. */
const writeWhole = (path: string, text: string): void => {
  const next = `${path}.${process.pid}.next`
  const file = openSync(next, 'w', 0o644)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(next, path)
}

/** Members of the out file that an operator added, such as backups and the native side; refuses the file of another deployment. */
const keptMembers = (path: string, policy: Address): Record<string, unknown> => {
  if (!existsSync(path)) return {}
  const data = readFileOf('--out', path, ChainFile)
  if (!isAddressEqual(data.contracts.policy.address, policy))
    throw new SettingsError([`--out: ${path} describes another deployment; name a new file`])
  return data
}

export interface DeployRequest {
  readonly rpcUrl: string
  readonly config: DeploymentConfig
  readonly out: string
}

/** Deploys by the plan of a config, writes the chain file, and reads back what the deployer can still do. */
export async function deploy(sending: Sending, { rpcUrl, config, out }: DeployRequest): Promise<Result> {
  const { client, key, journal } = sending
  const deployer = privateKeyToAccount(key).address
  assertDeployerWithoutRole(config, deployer)
  if (existsSync(out) && !existsSync(journal)) throw new SettingsError([`--out: ${out} is there, and ${journal} is not; name a new file`])
  const plan = deploymentPlan(config, deployer)
  const outcome = await send(sending, plan, config.confirmations)
  const code = await hashCode(client, plan, outcome)
  const record = recordOf(await client.getChainId(), config, deployer, outcome, code)
  const kept = keptMembers(out, record.contracts.policy.address)
  const file = ChainFile.parse({
    caip2: `eip155:${record.chainId}`,
    name: config.name,
    rpc: { primary: rpcUrl, backups: [], writeUrls: [] },
    nativeSymbol: config.nativeSymbol,
    nativeDecimals: config.nativeDecimals,
    confirmations: config.confirmations,
    ...kept,
    ...record,
  })
  writeWhole(out, `${JSON.stringify(file, null, 2)}\n`)
  return ending(client, file, deployer, out)
}

/** What the deployer can still do, and what the new owner has to do. */
async function ending(client: PublicClient, file: ChainFile, deployer: Address, out: string): Promise<Result> {
  const subject = subjectOf(client, file)
  if (!subject) throw new Error('a deployment has a live escrow')
  const [powers, waiting] = [await powersOf(subject, await holdersOf(subject), deployer), await readHandover(subject)]
  const lines = [
    `the contracts are deployed; ${out} describes them`,
    `what ${deployer} can still do: ${powers.length === 0 ? 'nothing' : ''}`.trim(),
    ...powers.map(({ text }) => `  ${text}`),
    ...(waiting ? [`the ownership waits for the new owner's acceptance: ${acceptance(waiting.newOwner, waiting.handover)}`] : []),
    `next: npm run contracts -- check ${out}`,
  ]
  const rest = powers.filter(({ kind }) => kind !== 'takeBack')
  return { lines, well: rest.length === 0 }
}

const configOf = ({ deployment }: ChainFile, config: DeploymentConfig | undefined): DeploymentConfig => {
  const found = config ?? deployment?.config
  if (found) return found
  throw new SettingsError(['--config: the chain file does not say what was deployed; name the config'])
}

/** Money that a holder puts in. It mints a test token itself. */
const fundingOf = (config: DeploymentConfig, holder: Address, amount: bigint): Funding => ({
  from: 'operator',
  holder,
  amount,
  ...(config.asset === 'test' ? { minter: 'operator' as const } : {}),
})

/** Refuses what the holder does not have, before anything of the plan was sent. */
async function assertBalance(
  client: PublicClient,
  { asset }: ChainFile,
  { holder, amount, minter }: Funding,
  journal: string,
): Promise<void> {
  if (minter !== undefined || existsSync(journal)) return
  const balance = await client.readContract({ address: asset.address, abi: testUsdcAbi, functionName: 'balanceOf', args: [holder] })
  if (balance >= amount) return
  const [has, needs] = [balance, amount].map((value) => formatUnits(value, asset.decimals))
  throw new Stopped(`${holder} has ${has} ${asset.symbol} and needs ${needs}; nothing was sent`)
}

const assertHolder = (role: string, expected: Address | undefined, found: Address): void => {
  if (!sameAddress(expected, found)) throw new SettingsError([`--key-file: the key is that of ${found}; the ${role} is ${expected}`])
}

/** An amount as people write it, in base units. */
export const parseAmount = (text: string, decimals: number): bigint => {
  const fraction = /^\d{1,30}(?:\.(\d+))?$/.exec(text)
  if (!fraction || (fraction[1] ?? '').length > decimals || parseUnits(text, decimals) === 0n)
    throw new SettingsError([`--amount: ${text} is no amount above zero with at most ${decimals} digits after the point`])
  return parseUnits(text, decimals)
}

/** Parts of a plan that funds a deployment. */
const givenOf = ({ asset, contracts: { agentAccount, depositPool, creditPool } }: ChainFile): Plan['given'] => ({
  token: asset.address,
  agentAccount: agentAccount.address,
  ...(depositPool ? { depositPool: depositPool.address } : {}),
  ...(creditPool ? { creditPool: creditPool.address } : {}),
})

interface FundRequest {
  readonly chain: ChainFile
  readonly config: DeploymentConfig | undefined
}

/** Deposits the funds of curated jobs for the operator, once for each journal. */
export async function fundBank(sending: Sending, { chain, config, amount }: FundRequest & { amount: bigint }): Promise<Result> {
  const known = configOf(chain, config)
  const holder = privateKeyToAccount(sending.key).address
  assertHolder('operator', known.roles.operator, holder)
  const funding = fundingOf(known, holder, amount)
  await assertBalance(sending.client, chain, funding, sending.journal)
  const { wasDone } = await send(sending, { given: givenOf(chain), steps: bankSteps(funding) }, chain.confirmations)
  const text = `${formatUnits(amount, chain.asset.decimals)} ${chain.asset.symbol}`
  return {
    lines: [
      `the bank of ${holder} ${wasDone ? 'had' : 'has'} got ${text} by ${sending.journal}${wasDone ? ' before; nothing was sent' : ''}; to put in more, name another journal`,
    ],
    well: true,
  }
}

/** Contributes the seed of one pool with the key of its operator; a pool that has it gets nothing. */
export async function seedPool(
  sending: Sending,
  { chain, config, pool }: FundRequest & { pool: 'depositPool' | 'creditPool' },
): Promise<Result> {
  const known = configOf(chain, config)
  const holder = privateKeyToAccount(sending.key).address
  if (!chain.contracts[pool]) throw new SettingsError(['--pool: the chain file names no such pool'])
  const [role, expected] =
    pool === 'depositPool' ? (['operator', known.roles.operator] as const) : (['credit operator', known.roles.creditOperator] as const)
  assertHolder(role, expected, holder)
  const address = chain.contracts[pool].address
  // Both pools have this read.
  const has = await sending.client.readContract({ address, abi: depositPoolAbi, functionName: 'operatorPrincipalShares' })
  if (has >= seedOf(known) && !existsSync(sending.journal))
    return { lines: [`the ${pool} has its seed already; nothing was sent`], well: true }
  const funding = fundingOf(known, holder, seedOf(known))
  await assertBalance(sending.client, chain, funding, sending.journal)
  await send(sending, { given: givenOf(chain), steps: seedSteps(funding, pool) }, chain.confirmations)
  return { lines: [`the ${pool} has its seed`], well: true }
}
