// A worker with the typed client: signs in, finds a job, claims it, submits work, waits for the verdict and prints the badge.
import { createClient, isProblem, type Schemas } from 'agent-work-client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openService } from '../local-service.ts'
import { work } from './work.ts'

const key = (process.env.PRIVATE_KEY as `0x${string}` | undefined) ?? generatePrivateKey()
const client = createClient({ baseUrl: openService('BASE_URL'), account: privateKeyToAccount(key) })

/** Another worker was faster: try the next job. Every other refusal ends the program with its code. */
const skipTaken = (error: unknown) => (isProblem(error, 'job_already_claimed', 'claim_in_progress') ? null : Promise.reject(error))

/** Does the first job whose bond is waived for this wallet and whose verifier looks for keywords. */
async function earnBadge(): Promise<Schemas.AgentBadge> {
  for await (const { id } of client.paginate('listJobs', { claimable: true, waiverEligible: true, verifierMode: 'benchmark' })) {
    const claim = (await client.preflightJob({ jobId: id })).eligible ? await client.claimJob({ jobId: id }).catch(skipTaken) : null
    if (claim === null) continue
    await client.submitWork({ sessionId: claim.sessionId, submission: work(await client.getJobDefinition({ jobId: id })) })
    for await (const { status } of client.watch(claim.sessionId)) console.log(`session ${status}`)
    return await client.getBadge({ sessionId: claim.sessionId })
  }
  throw new Error('no job of the catalogue is open to this wallet')
}
const { name, external_url, service } = await earnBadge()
console.log(`paid ${Number(service.reward.amount) / 10 ** service.reward.decimals} ${service.reward.asset}`)
console.log(`badge: ${name}\n${external_url}`)
