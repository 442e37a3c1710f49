import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow'
import type { ContentChainActivities, ContentDisclosureInput, ContentRecordActivities } from '../../schemas/content/process.ts'
import { isRefusal } from '../common/failures.ts'
import { CHAIN_STEPS, RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<ContentRecordActivities>(RECORD_STEPS)
const chain = proxyActivities<ContentChainActivities>(CHAIN_STEPS)

const FIRST_PAUSE_MS = 600_000
const LONGEST_PAUSE_MS = 86_400_000

/** Publishes a blob early and announces that on chain once. A contract that is paused refuses the event for a while; the next try comes later. */
export async function contentDisclosure(input: ContentDisclosureInput): Promise<{ details: string }> {
  await records.publishContent(input)
  setCurrentDetails('Published. Waits for the event on chain.')
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      const outcome = await chain.discloseContent(input)
      setCurrentDetails(outcome.details)
      return outcome
    } catch (error) {
      if (!isRefusal(error)) throw error
      setCurrentDetails(`Published. The contract refuses the event; next try in ${pauseMs / 60_000} minutes.`)
      await sleep(pauseMs)
    }
  }
}
