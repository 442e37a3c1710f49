// Events of the chain that the processes of the service wait for.
import { isWantedBy } from '../../../activities/chain/follower/subscriber.ts'
import { loadWorkerSubjects } from '../../../workers/subjects.ts'

const subjects = await loadWorkerSubjects()

export const subscribers = subjects.flatMap(({ module }) => module.subscriber ?? [])
export const movesProcess = isWantedBy(subscribers)
