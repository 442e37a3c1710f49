import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../../client/src/client.ts'
import { isProblem } from '../../../client/src/problems.ts'
import type { Answer } from '../../../client/src/types.ts'
import { conclude, describeDecided, money, type Outcome, type StackPlace } from '../place.ts'
import { missingProof } from '../proof.ts'
import { starterFlow, waivedFlow } from '../starter-flow.ts'
import { awaitVerdict, readUntil, type Worker } from '../worker.ts'
import { PERSON, runAgent } from './agent.ts'
import { createScripts, type Fault } from './faults.ts'
import { DEMO_SOURCES, DENYING_REPO, type DemoSource, issuesOf, PERSON_REPO } from './sources.ts'

type IngestAnswer = Extract<Answer<'ingestGithub'>, { jobs: unknown }>

/** Enough for the bonds of all claims, one after the other. */
const WORKER_MONEY = 5_000_000n
/** Candidates of a preview. */
const SHOWN = 3
/** Claims of a new wallet whose bond is waived. */
const WAIVED_CLAIMS = 3

/** Jobs of the six sources, listed, done by the example agent and paid, with faults of the sources off and on. Returns what the chain does not show. */
export const ingestFlow = async (place: StackPlace): Promise<{ outcomes: Outcome[]; differences: string[] }> => {
  const { report, chain, info, base } = place
  const scripts = createScripts(info)
  const asRole = (role: 'admin' | 'verifier') =>
    createClient({ baseUrl: base, account: privateKeyToAccount(info.keys[role]), maxRetries: 0 })
  const [admin, verifier] = [asRole('admin'), asRole('verifier')]
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  const worker: Worker = { account, client: createClient({ baseUrl: base, account }) }
  const outcomes: Outcome[] = []
  const differences: string[] = []

  /** Answer of a run; one that goes on is asked for again. */
  const ingest = (source: DemoSource, dryRun: boolean, limit: number): Promise<IngestAnswer> =>
    readUntil('answer of a run', async () => {
      const answer = await source.run(admin, { dryRun, limit })
      return 'jobs' in answer ? answer : undefined
    })

  /** Previews candidates and lists the first of them; each of the two runs meets the faults. */
  const list = async (source: DemoSource, faults: readonly Fault[] = []): Promise<string> => {
    await scripts.breakNext(source, faults)
    const preview = await report.step(
      'preview: a dry run',
      () => ingest(source, true, SHOWN),
      ({ counts, candidateCount, requestsUsed }) =>
        `${counts.proposed} proposed of ${candidateCount} candidates, ${requestsUsed} requests, nothing listed`,
    )
    report.table([
      ['candidate', 'score', 'because of'],
      ...preview.jobs.map(({ id, score, reasons }) => [
        id.length > 46 ? `${id.slice(0, 45)}…` : id,
        String(score),
        reasons.map(({ name, points }) => `${name} ${points}`).join(', '),
      ]),
    ])
    await scripts.breakNext(source, faults)
    const { created } = await report.step(
      'create: list one job',
      () => ingest(source, false, 1),
      ({ created: ids }) => ids.join(', ') || 'nothing',
    )
    const [jobId] = created
    if (jobId === undefined) throw new Error(`the run over ${source.provider} listed no job`)
    return jobId
  }

  /** Maintainers who merge the pull request of a session, once the service has seen it open. */
  const mergeWhenSeen = async (sessionId: string): Promise<void> => {
    const url = await readUntil('reading of the pull request', async () => {
      const { pending } = await verifier.listPendingVerifications({ limit: 200 })
      const row = pending.find((one) => one.sessionId === sessionId)
      return row?.disposition === 'waiting_for_merge' ? (row.prUrl ?? undefined) : undefined
    })
    report.line(`    the maintainers merge ${url}`)
    await scripts.merge(url)
  }

  /** The example agent does a job for a bond of its own. */
  const earn = async (jobId: string): Promise<void> => {
    const { badges } = await chain.standingOf(account.address)
    const preflight = await worker.client.preflightJob({ jobId })
    const { verifierMode } = await worker.client.getJobDefinition({ jobId })
    const sessionId = await report.step(
      'the example agent claims, works and submits',
      () =>
        runAgent(place, {
          key,
          jobId,
          onSubmitted: verifierMode === 'codehost_pr' ? mergeWhenSeen : () => Promise.resolve(),
        }),
      () => `${verifierMode}, bond ${money(place, preflight.totalClaimLockRaw ?? 0n)}`,
    )
    const { session } = await report.step('verdict', () => awaitVerdict(worker, sessionId), describeDecided)
    const { source } = await worker.client.getJobDefinition({ jobId })
    if (source?.repo === PERSON_REPO) {
      const named = 'responsiblePerson' in session ? session.responsiblePerson : undefined
      report.line(`    responsible person: ${named ?? 'none'}`)
      if (named !== PERSON) differences.push(`${jobId}: the session names ${named} as the responsible person, not ${PERSON}`)
    }
    const claimed = await chain.blockOf(jobId, 'JobClaimed')
    const [before, locked] = await Promise.all([claimed - 1n, claimed].map((block) => chain.balancesOf(account.address, block)))
    if (before === undefined || locked === undefined) throw new Error('the chain shows no balances')
    const outcome = await conclude(place, { worker, preflight, session, before: { ...before, badges }, locked: { ...locked, badges } })
    const missing = missingProof(outcome)
    report.line(`    on chain: ${missing.length === 0 ? 'bond locked and returned, reward paid, badge minted' : missing.join('; ')}`)
    if (outcome.bondRaw === 0n) differences.push(`${jobId}: the claim locked no bond`)
    outcomes.push(outcome)
  }

  /** A source that asks to wait: the answer says until when, and nothing is listed. */
  const refuseToWait = async (source: DemoSource): Promise<void> => {
    const listed = async () => (await admin.listSources()).sources.find(({ provider }) => provider === source.provider)?.created
    const before = await listed()
    await scripts.breakNext(source, ['asks to wait'])
    const resumeAt = await report.step(
      'the source asks to wait',
      async () => {
        try {
          await ingest(source, false, 1)
        } catch (error) {
          if (isProblem(error, 'upstream_failure')) return String(error.details?.resumeAt)
          throw error
        }
        throw new Error('a run listed jobs of a source that asked to wait')
      },
      (until) => `nothing listed, again from ${until} on`,
    )
    if (!(Date.parse(resumeAt) > 0)) differences.push(`${source.provider}: the answer does not say until when to wait`)
    const after = await listed()
    if (after !== before) differences.push(`${source.provider}: a run that had to wait listed ${after} jobs, not ${before}`)
    await readUntil('end of the wait', async () => (Date.now() > Date.parse(resumeAt) ? true : undefined))
  }

  /** A claim after the maintainers have refused agents: it is refused, with the same balances before and after. */
  const refuseClaim = async (): Promise<void> => {
    const jobId = await list(issuesOf(DENYING_REPO))
    await worker.client.preflightJob({ jobId })
    const before = await chain.standingOf(account.address)
    await report.step(
      'the maintainers say no in the issue',
      () => scripts.editIssue(DENYING_REPO, Number(jobId.split('-').at(-1)), 'Please do not open a pull request for this issue.'),
      () => DENYING_REPO,
    )
    const code = await report.step(
      'the claim is refused',
      async () => {
        try {
          await worker.client.claimJob({ jobId })
        } catch (error) {
          if (isProblem(error, 'maintainer_stop_signal')) return error.code
          throw error
        }
        throw new Error('a job could be claimed although the maintainers refuse agents')
      },
      (refusal) => refusal,
    )
    const after = await chain.standingOf(account.address)
    const isSame = (['liquidRaw', 'stakedRaw', 'tokensRaw'] as const).every((name) => before[name] === after[name])
    report.line(`    on chain: ${isSame ? 'no balance of the worker moved' : 'a balance of the worker moved'}`)
    if (!isSame) differences.push(`${jobId}: the refused claim (${code}) moved a balance`)
  }

  report.heading('An agent uses up its waived claims, so that every later one has a real bond')
  await starterFlow(place, worker)
  for (let claims = 1; claims < WAIVED_CLAIMS; claims += 1) await waivedFlow(place, worker)
  await report.step(
    'get test money and gas from the local faucet',
    () => chain.fund(account.address, WORKER_MONEY),
    () => `${money(place, WORKER_MONEY)} in the wallet`,
  )
  for (const source of DEMO_SOURCES) {
    report.heading(`${source.provider}: preview, create, claim, submit, verdict`)
    await earn(await list(source))
    report.heading(`${source.provider}, with faults: asks to wait, then answers 500, then breaks off`)
    await refuseToWait(source)
    await earn(await list(source, ['fails', 'breaks']))
  }
  report.heading('Maintainers who say no between listing and claim')
  await refuseClaim()
  return { outcomes, differences }
}
