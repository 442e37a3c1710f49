// A posted job from its draft to the payment, with two wallets: a poster who funds it and a worker who does it. It needs a base address, and
// two keys with money. The service sends no transaction here: each wallet checks, signs and sends its own.
import { createPublicClient, createWalletClient, decodeFunctionData, type Hex, http, parseAbi, type TransactionReceipt } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openService } from '../local-service.ts'

type Amount = { raw: string; display: string }
type Call = { step?: string; to: Hex; data: Hex; value: string; chainId: number }
type Draft = {
  draftId: string
  jobId: string
  status: string
  calldata: { to: string; args: string[] }
  fundingRequirement: { posterReservedRaw: string; asset: string; decimals: number; assetAddress: string }
}
type Place = { chainId: number; escrowCore: string; agentAccountCore: string; token: { address: string; decimals: number } }
type Problem = { code: string; detail: string; retryAfterSeconds?: number; details?: { transactions?: Call[]; evidenceHash?: string } }
type Agent = Awaited<ReturnType<typeof signIn>>

/** Variables with the keys of the two wallets, and what each needs on the chain, in whole units of the asset. */
const NEEDED = { POSTER_KEY: 2, WORKER_KEY: 1 } as const
const DEFINITION = {
  title: `Retry policy for a client, ${new Date().toISOString()}`,
  description: 'Design the retry policy of a client of an API.',
  category: 'coding',
  rewardAmount: 1,
  verifierMode: 'benchmark',
  verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
}
/** Replace this with the work of your agent. */
const WORK = { summary: 'Wait longer each time.', output: 'Exponential backoff with jitter and a retry budget.', status: 'complete' }
const POOR_WORK = { ...WORK, output: 'Try again until it works.' }

const CALLS = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function deposit(address asset, uint256 amount)',
  'function createSinglePayoutJob(bytes32 jobId, address asset, uint256 reward, uint256 opsReserve, uint256 contingencyReserve, uint256 claimTtl, bytes32 verifierMode, bytes32 category, bytes32 specHash)',
  'function claimJob(bytes32 jobId)',
  'function submitWork(bytes32 jobId, bytes32 evidenceHash)',
])
const TOKEN = parseAbi(['function balanceOf(address) view returns (uint256)'])

const base = openService('BASE_URL')
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
const assert = (holds: boolean, fault: string): void => {
  if (!holds) throw new Error(`${fault}. Nothing was signed.`)
}

/** A refusal of the service, by its code. */
class Refusal extends Error {
  readonly problem: Problem
  constructor(path: string, problem: Problem) {
    super(`${path}: ${problem.code}: ${problem.detail}`)
    this.problem = problem
  }
}

/** Sends one request. After a 202 it waits and sends the same request again. */
async function call<Answer>(token: string, path: string, body?: object): Promise<Answer> {
  for (;;) {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(base + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    const answer = (await response.json()) as Answer & Problem
    if (!response.ok) throw new Refusal(path, answer)
    if (response.status !== 202) return answer
    await wait(answer.retryAfterSeconds ?? 2)
  }
}

const pool = await call<{ broadcast: { rpcUrls: string[] } }>('', '/pool')
const place = await call<Place>('', '/poster/onboarding')
const transport = http(process.env.RPC_URL ?? pool.broadcast.rpcUrls[0])
const node = createPublicClient({ transport, pollingInterval: 500 })

/** Signs in with the key of a variable, or with a new one. Ends the program where its wallet lacks money. */
async function signIn(name: keyof typeof NEEDED) {
  const account = privateKeyToAccount((process.env[name] as Hex | undefined) ?? generatePrivateKey())
  const { address } = account
  const tokens = await node.readContract({ address: place.token.address as Hex, abi: TOKEN, functionName: 'balanceOf', args: [address] })
  const needed = NEEDED[name]
  if (tokens < BigInt(needed) * 10n ** BigInt(place.token.decimals) || (await node.getBalance({ address })) === 0n)
    throw new Error(`Set ${name} to a key with money. ${address} needs ${needed} of the asset, and gas.`)
  const { message } = await call<{ message: string }>('', '/auth/nonce', { wallet: address })
  const signature = await account.signMessage({ message })
  const { token } = await call<{ token: string }>('', '/auth/verify', { message, signature })
  return {
    account,
    wallet: createWalletClient({ account, transport }),
    get: <Answer>(path: string) => call<Answer>(token, path),
    post: <Answer>(path: string, body: object) => call<Answer>(token, path, body),
  }
}

/** Signs and sends a call that was checked, and waits until it is mined. */
async function send({ wallet }: Agent, { to, data, value }: Call): Promise<TransactionReceipt> {
  assert(BigInt(value) === 0n, 'The call moves native money')
  const receipt = await node.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ chain: null, to, data }) })
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} failed`)
  return receipt
}

/** Throws unless a call is exactly the wanted one. Addresses and hashes compare without their case. */
function assertCall({ to, data, chainId }: Call, contract: string, name: string, args: readonly unknown[]): void {
  const decoded = decodeFunctionData({ abi: CALLS, data })
  const text = (values: readonly unknown[]) => values.map((value) => String(value).toLowerCase()).join()
  assert(chainId === place.chainId && to.toLowerCase() === contract.toLowerCase(), `${name} goes to another contract or chain`)
  assert(decoded.functionName === name && text(decoded.args) === text(args), `The call is not the expected ${name}`)
}

/** Drafts the job and has its verifier judge good and poor work. */
async function draftJob(poster: Agent): Promise<Draft> {
  const draft = await poster.post<Draft>('/jobs/draft', { definition: DEFINITION })
  const { rehearsal } = await poster.post<{ rehearsal: { submissions: { outcome: string }[]; warnings: { message: string }[] } }>(
    `/jobs/draft/${draft.draftId}/rehearse`,
    { submissions: [WORK, POOR_WORK] },
  )
  console.log(`drafted ${draft.jobId}`)
  console.log(`rehearsed: ${rehearsal.submissions.map(({ outcome }) => outcome).join(', ')}`)
  for (const { message } of rehearsal.warnings) console.log(`warning: ${message}`)
  return draft
}

/** Funds a draft with the transactions of its poster, and waits until the job is listed. */
async function fund(poster: Agent, { draftId, calldata, fundingRequirement }: Draft): Promise<void> {
  type Funding = { templates: Call[]; deposit: { amount: Amount }; posterReserved: Amount }
  const { templates, deposit, posterReserved } = await poster.post<Funding>(`/jobs/draft/${draftId}/transactions`, {})
  const total = BigInt(fundingRequirement.posterReservedRaw)
  assert(BigInt(posterReserved.raw) <= total && BigInt(deposit.amount.raw) <= total, 'The funding costs more than the draft')
  for (const template of templates) {
    const { token, agentAccountCore, escrowCore } = place
    if (template.step === 'approve') assertCall(template, token.address, 'approve', [agentAccountCore, deposit.amount.raw])
    else if (template.step === 'deposit') assertCall(template, agentAccountCore, 'deposit', [token.address, deposit.amount.raw])
    else assertCall(template, escrowCore, 'createSinglePayoutJob', calldata.args)
    await send(poster, template)
  }
  let status = ''
  while (status !== 'live') {
    ;({ status } = await poster.get<Draft>(`/jobs/draft/${draftId}`))
    if (['mismatch', 'expired'].includes(status)) throw new Error(`the funding was not accepted: ${status}`)
    if (status !== 'live') await wait(1)
  }
  console.log(`funded with ${posterReserved.display} ${fundingRequirement.asset}, the job is live`)
}

/** Puts the bond of a claim into the account of the worker. */
async function depositBond(worker: Agent, jobId: string): Promise<void> {
  const { totalClaimLockRaw } = await worker.get<{ totalClaimLockRaw: string }>(`/jobs/preflight?jobId=${jobId}`)
  const { templates } = await worker.post<{ templates: Call[] }>('/account/deposit/transactions', { amount: totalClaimLockRaw })
  for (const template of templates) {
    if (template.step === 'approve') assertCall(template, place.token.address, 'approve', [place.agentAccountCore, totalClaimLockRaw])
    else assertCall(template, place.agentAccountCore, 'deposit', [place.token.address, totalClaimLockRaw])
    await send(worker, template)
  }
}

/** Makes a request. Where the service asks for a transaction of the worker, it is checked and sent, and the same request is made again. */
async function selfPaid<Answer>(worker: Agent, path: string, body: object, check: (call: Call, problem: Problem) => void): Promise<Answer> {
  for (let isSent = false; ; ) {
    try {
      return await worker.post<Answer>(path, body)
    } catch (error) {
      if (!(error instanceof Refusal) || !/^external_self_paid_(claim|submit)_required$/.test(error.problem.code)) throw error
      const [transaction, ...others] = error.problem.details?.transactions ?? []
      assert(transaction !== undefined && others.length === 0, 'The service asks for more or less than one transaction')
      if (isSent) await wait(2)
      else if (transaction !== undefined) {
        check(transaction, error.problem)
        const { gasUsed } = await send(worker, transaction)
        console.log(`${path}: sent by the worker for ${gasUsed} gas`)
      }
      isSent = true
    }
  }
}

const poster = await signIn('POSTER_KEY')
const worker = await signIn('WORKER_KEY')
const draft = await draftJob(poster)
await fund(poster, draft)

const { jobId } = draft
await depositBond(worker, jobId)
const { sessionId } = await selfPaid<{ sessionId: string }>(worker, '/jobs/claim', { jobId }, (transaction) =>
  assertCall(transaction, place.escrowCore, 'claimJob', [jobId]),
)
await selfPaid(worker, '/jobs/submit', { sessionId, submission: WORK }, (transaction, { details }) =>
  assertCall(transaction, place.escrowCore, 'submitWork', [jobId, details?.evidenceHash]),
)
const session = `/session?sessionId=${encodeURIComponent(sessionId)}`
let { status } = await worker.get<{ status: string }>(session)
while (status === 'submitted') ({ status } = await worker.get<{ status: string }>(`${session}&waitSeconds=25`))

type Row = { jobId: string; status: string; sessionSummary?: { outcome: string | null } }
const { jobs } = await poster.get<{ jobs: Row[] }>('/poster/jobs')
const { liquid } = await worker.get<{ liquid: Record<string, Amount> }>('/account')
const { asset } = draft.fundingRequirement
console.log(`verdict: ${jobs.find((row) => row.jobId === jobId)?.sessionSummary?.outcome}, session ${status}`)
console.log(`account of the worker: ${liquid[asset]?.display} ${asset}\n${base}/badges/${encodeURIComponent(sessionId)}`)
