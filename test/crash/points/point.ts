import type { Phase } from '../acts/journeys.ts'
import type { Trap } from '../trap.ts'

/** What a trap may name before the job and the keys of a run are known. */
export type Placeholder = '{job}' | '{chainJob}' | '{dispute}' | '{claimKey}' | '{submitKey}'

/** What is killed. `worker` and `api` are the one that came to the point; `entryApi` is the API that the agent calls. */
export type Victim = 'api' | 'entryApi' | 'worker' | 'workers' | 'postgres' | 'temporal' | 'chain'

/** A named moment of a run at which processes are killed. */
export interface Point {
  name: `${'api' | 'temporal' | 'postgres' | 'chain' | 'worker' | 'workers'}/${Phase}/${string}`
  /** The moment, in words. */
  when: string
  /** Where it is met; `waiting`: the claim is started while no worker is up. */
  at: Trap | 'waiting'
  kills: readonly Victim[]
}
