// What the worker of the bench runs: the service's own processes, and the least that a claim could cost.
import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow'

export { claimSession } from '../../workflows/claims/claim-session.ts'
export { verifierRun } from '../../workflows/verification/verifier-run.ts'

export interface BareActivities {
  insertBare(input: { id: string }): Promise<void>
}

export const bareUpdate = defineUpdate<string>('bare')
const { insertBare } = proxyActivities<BareActivities>({ startToCloseTimeout: '30s' })

/** One update that is answered after one regular activity with one insert. */
export async function bareClaim({ id }: { id: string }): Promise<void> {
  let inserted = false
  let answered = false
  setHandler(bareUpdate, async () => {
    await condition(() => inserted)
    answered = true
    return id
  })
  await insertBare({ id })
  inserted = true
  await condition(() => answered)
}
