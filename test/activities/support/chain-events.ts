// What the subjects of the service do with events of the chain.
import { isWantedBy } from '../../../activities/chain/follower/subscriber.ts'
import { loadWorkerSubjects } from '../../../workers/subjects.ts'

const subjects = await loadWorkerSubjects()

export const subscribers = subjects.flatMap(({ module }) => module.subscriber ?? [])
export const recorders = subjects.flatMap(({ module }) => module.recorder ?? [])
export const movesProcess = isWantedBy(subscribers)
