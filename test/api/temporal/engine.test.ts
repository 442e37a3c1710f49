import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { type Client, ServiceError as EngineError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { verifierStart } from '../../../activities/verification/start.ts'
import { createEngine } from '../../../api/temporal/engine.ts'
import type { NewClaim } from '../../../schemas/claims/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { postingChanged } from '../../../schemas/postings/process.ts'
import type { PostingRecord } from '../../../schemas/postings/record.ts'
import { runUpdate } from '../../../schemas/verification/process.ts'
import { eventually } from '../../support/eventually.ts'

const CLAIM = { jobId: 'job', wallet: '0xabc', title: 'A job', chainJobId: '0x1', verifierMode: 'benchmark' } as NewClaim
const TARGET = { jobId: 'job', runId: 'run', updateId: 'submit/1' }
const SUBMISSION = { sessionId: 'job:0xabc', submission: {}, requestId: 'r', protocol: 'http' } as const

const VERIFIED = { sessionId: 'job:0xabc', jobId: 'job', wallet: '0xabc', chainJobId: '0x1', verifierMode: 'benchmark', title: 'A job' }
const ASKED = { requestId: 'r', requestedBy: '0xdef' }
const START = verifierStart(VERIFIED, { v: 1, sessionId: 'job:0xabc', ...ASKED })
const VERIFICATION = [runUpdate, { updateId: 'update', input: ASKED }, 'verifierRun', START] as const

/** As the client wraps what the server answered. */
const grpcError = (code: number): Error =>
  new EngineError('the call failed', { cause: Object.assign(new Error('grpc'), { code, details: 'of the server', metadata: {} }) })

const never = (): Promise<never> => new Promise(() => undefined)
let isSilent = false
/** Of a request that nothing ends. */
const staying = new AbortController().signal
/** What ends the calls that were sent to the engine, in their order. */
const sentSignals: AbortSignal[] = []
/** How these calls ended. */
const ends: Promise<unknown>[] = []
let probes = 0
const connection = {
  withAbortSignal: <T>(signal: AbortSignal, call: () => Promise<T>) => {
    sentSignals.push(signal)
    const ended = call()
    ends.push(ended)
    return ended
  },
  withDeadline: <T>(_deadline: number, call: () => Promise<T>) => call(),
  workflowService: {
    getSystemInfo: async () => {
      probes += 1
      if (isSilent) throw grpcError(14)
      return {}
    },
  },
}
const engineOf = (workflow: object, waitMs = 30) =>
  createEngine({ client: { connection, workflow } as unknown as Client, waitMs, draining: new AbortController().signal })

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return `answered ${JSON.stringify(await work)}`
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error)
  }
}

test.each([
  ['that has more to do than it takes', 8, 'claim_in_progress', 'submit_in_progress'],
  ['that cannot be reached', 14, 'workflow_engine_unavailable', 'workflow_engine_unavailable'],
])(
  'an engine %s (%i) answers a claim and the end of a lapsed one with %s, a submission with %s, a search with an outage',
  async (_what, code, claim, submit) => {
    const failing = async () => {
      throw grpcError(code)
    }
    const engine = engineOf({ executeUpdateWithStart: failing, getHandle: () => ({ executeUpdate: failing, describe: failing }) })
    const answers = [
      engine.claim(CLAIM, staying),
      engine.submit(TARGET, SUBMISSION, staying),
      engine.findClaimRun('job'),
      engine.findRunningRun('claim/job'),
      engine.endLapsedRun('job', 'run'),
    ].map(codeOf)
    expect(await Promise.all(answers)).toEqual([claim, submit, 'workflow_engine_unavailable', 'workflow_engine_unavailable', claim])
  },
)

test('a lapsed run is not waited for when another run has the job, and no run gets a signal', async () => {
  const describeRun = jest.fn(async () => ({ status: { name: 'RUNNING' }, runId: 'the run after it', raw: {} }))
  const signal = jest.fn(async () => undefined)
  const engine = engineOf({ getHandle: () => ({ describe: describeRun, signal }) })
  expect(await engine.endLapsedRun('job', 'the lapsed run')).toBe(false)
  expect(describeRun).toHaveBeenCalledTimes(1)
  expect(signal).not.toHaveBeenCalled()
})

test('a posting that is woken gets a signal that states nothing of the chain', async () => {
  const signalWithStart = jest.fn(async (_type: string, _given: object) => undefined)
  const jobId = `0x${'1'.repeat(64)}` as const
  const posted = { jobId, poster: `0x${'2'.repeat(40)}`, definition: { title: 'Check the links' } } as unknown as PostingRecord
  await engineOf({ signalWithStart }).wakePosting(posted)
  const start = { workflowId: `posting/${jobId}`, args: [{ v: 1, jobId }], signal: postingChanged, signalArgs: [] }
  expect(signalWithStart.mock.calls).toEqual([['externalPosting', expect.objectContaining(start)]])
})

describe('an update that a workflow task ended without', () => {
  const passedOver = (): Error =>
    new WorkflowUpdateFailedError('Workflow Update failed', ApplicationFailure.create({ type: 'UnprocessedUpdate', nonRetryable: true }))
  const engineAfter = (times: number, then: () => Promise<unknown>, waitMs = 5_000) => {
    const sent: unknown[] = []
    const executeUpdate = async (_update: unknown, given: unknown) => {
      sent.push(given)
      if (sent.length <= times) throw passedOver()
      return then()
    }
    return { sent, engine: engineOf({ getHandle: () => ({ executeUpdate }) }, waitMs) }
  }

  test('is sent again unchanged, until the workflow takes it', async () => {
    const { sent, engine } = engineAfter(3, async () => 'taken')
    expect(await engine.submit(TARGET, SUBMISSION, staying)).toEqual({ kind: 'done', value: 'taken' })
    expect(sent).toEqual(Array.from({ length: 4 }, () => ({ updateId: TARGET.updateId, args: [SUBMISSION] })))
  })

  test('is not sent again for a caller who has been answered', async () => {
    const { sent, engine } = engineAfter(Number.POSITIVE_INFINITY, never, 30)
    expect(await engine.submit(TARGET, SUBMISSION, staying)).toEqual({ kind: 'pending' })
    await expect(ends.at(-1)).rejects.toMatchObject({ name: 'AbortError' })
    expect(sent).toHaveLength(1)
  })

  test('is sent again with a start of its own each time, where another run may start', async () => {
    const starts: unknown[] = []
    const executeUpdateWithStart = async (_update: unknown, { startWorkflowOperation }: { startWorkflowOperation: unknown }) => {
      starts.push(startWorkflowOperation)
      if (starts.length === 1) throw passedOver()
      return 'decided'
    }
    const engine = engineOf({ executeUpdateWithStart }, 5_000)
    expect(await engine.updateOrStart(...VERIFICATION)).toEqual({ kind: 'done', value: 'decided' })
    expect(new Set(starts).size).toBe(2)
  })

  describe('of a claim starts it no second time', () => {
    const claimAfter = (status: string, handle: object) => {
      const starts: { options: { memo: object } }[] = []
      const engine = engineOf(
        {
          executeUpdateWithStart: async (_update: unknown, given: { startWorkflowOperation: { options: { memo: object } } }) => {
            starts.push(given.startWorkflowOperation)
            throw passedOver()
          },
          getHandle: () => ({
            describe: async () => ({ runId: 'run', status: { name: status }, memo: starts[0]?.options.memo }),
            ...handle,
          }),
        },
        5_000,
      )
      return { starts, claim: () => engine.claim(CLAIM, staying) }
    }

    test('but asks the running run', async () => {
      const { starts, claim } = claimAfter('RUNNING', { executeUpdate: async () => 'session' })
      expect([await claim(), starts.length]).toEqual([{ kind: 'done', value: 'session' }, 1])
    })

    test('and leaves it to the records when that run is over', async () => {
      const result = async () => {
        throw new WorkflowNotFoundError('no such update', 'claim/job', 'run')
      }
      const { starts, claim } = claimAfter('COMPLETED', { getUpdateHandle: () => ({ result }) })
      expect([await claim(), starts.length]).toEqual([{ kind: 'over' }, 1])
    })
  })

  test('is given up when its run is over', async () => {
    const { engine } = engineAfter(1, async () => {
      throw new WorkflowNotFoundError('workflow execution already completed', 'claim/job', 'run')
    })
    expect(await engine.submit(TARGET, SUBMISSION, staying)).toBeNull()
  })
})

describe('work that needs the engine at its end', () => {
  afterEach(() => {
    isSilent = false
  })
  const engine = engineOf({})
  const stepsOf = async (work: (gone: AbortSignal) => Promise<unknown>): Promise<[string, string]> => {
    const after = Promise.withResolvers<string>()
    const answer = await codeOf(
      engine.watchOutages(async (gone) => {
        await work(gone)
        after.resolve(gone.aborted ? 'stopped' : 'continued')
        return 'done'
      }),
    )
    return [answer, await after.promise]
  }

  test('continues while the engine answers, however long it takes', async () => {
    probes = 0
    expect(await stepsOf(() => eventually('several probes', () => probes >= 3))).toEqual(['answered "done"', 'continued'])
  })

  test('ends as an outage when the engine is gone, before it begins what counts', async () => {
    isSilent = true
    expect(await stepsOf((gone) => eventually('the work is stopped', () => gone.aborted))).toEqual([
      'workflow_engine_unavailable',
      'stopped',
    ])
  })

  const calls = engineOf({ executeUpdateWithStart: never, getHandle: () => ({ executeUpdate: never, signal: never }) }, 5_000)
  test.each<[string, (gone: AbortSignal) => Promise<unknown>]>([
    ['submission', (gone) => calls.submit(TARGET, SUBMISSION, gone)],
    ['submission that is offered', (gone) => calls.offer(TARGET, SUBMISSION, gone)],
    ['claim', (gone) => calls.claim(CLAIM, gone)],
  ])('sends nothing of a %s after it is refused for an outage', async (_what, call) => {
    isSilent = true
    sentSignals.length = 0
    expect(await codeOf(calls.watchOutages(call))).toBe('workflow_engine_unavailable')
    expect(sentSignals[0]?.aborted).toBe(true)
    await expect(calls.watchOutages(() => call(AbortSignal.abort('gone')))).rejects.toBe('gone')
  })
})

test('an update that met the end of its run is decided by the record, not failed', async () => {
  const ended = async () => {
    // An answer of the server, not of the process.
    throw new WorkflowUpdateFailedError('failed', ApplicationFailure.nonRetryable('the run ended', 'AcceptedUpdateCompletedWorkflow'))
  }
  const engine = engineOf({ executeUpdateWithStart: ended, getHandle: () => ({ executeUpdate: ended }) })
  expect(await engine.submit(TARGET, SUBMISSION, staying)).toBeNull()
  expect(await engine.claim(CLAIM, staying)).toEqual({ kind: 'over' })
  expect(await engine.updateOrStart(...VERIFICATION)).toEqual({ kind: 'pending' })
})

describe('a claim whose answer comes in the moment in which the wait ends', () => {
  /** The update never answers in time; the run is described as it stands then. */
  const endedEngine = (result: () => Promise<unknown>, described: { status: string; own: boolean }) => {
    let memo: object = {}
    const description = () => ({
      runId: 'run',
      status: { name: described.status },
      memo: described.own ? memo : { wallet: '0xother', updateId: 'other' },
    })
    return engineOf({
      executeUpdateWithStart: (_update: unknown, { startWorkflowOperation }: { startWorkflowOperation: { options: { memo: object } } }) => {
        memo = startWorkflowOperation.options.memo
        return never()
      },
      getHandle: () => ({ describe: async () => description(), getUpdateHandle: () => ({ result }) }),
    })
  }

  test('gets that answer: a session, or a refusal with its code', async () => {
    const answered = endedEngine(async () => ({ sessionId: 'job:0xabc' }), { status: 'COMPLETED', own: true })
    expect(await answered.claim(CLAIM, staying)).toEqual({ kind: 'done', value: { sessionId: 'job:0xabc' } })
    const refused = async () => {
      throw new WorkflowUpdateFailedError('refused', ApplicationFailure.nonRetryable('no', 'insufficient_liquidity'))
    }
    expect(await codeOf(endedEngine(refused, { status: 'COMPLETED', own: true }).claim(CLAIM, staying))).toBe('insufficient_liquidity')
  })

  test('stays pending while its run continues, and is taken when the job went to another run', async () => {
    expect(await endedEngine(never, { status: 'RUNNING', own: true }).claim(CLAIM, staying)).toEqual({ kind: 'pending' })
    expect(await endedEngine(never, { status: 'RUNNING', own: false }).claim(CLAIM, staying)).toEqual({ kind: 'taken', wallet: '0xother' })
  })
})
