// Passes the trace of a message on to the steps that follow from it. It adds no command, so histories of before replay.
import { AsyncLocalStorage, type Headers, type WorkflowInterceptorsFactory } from '@temporalio/workflow'

/** Header of the tracing interceptors of the SDK. */
const TRACE = '_tracer-data'

type Trace = Headers[string]
const current = new AsyncLocalStorage<Trace | undefined>()

const withTrace = <Input extends { headers: Headers }>(input: Input): Input => {
  const trace = current.getStore()
  return trace === undefined ? input : { ...input, headers: { ...input.headers, [TRACE]: trace } }
}

/** Loaded with the workflow code of every build. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute: (input, next) => current.run(input.headers[TRACE], () => next(input)),
      handleUpdate: (input, next) => current.run(input.headers[TRACE], () => next(input)),
      handleSignal: (input, next) => current.run(input.headers[TRACE], () => next(input)),
    },
  ],
  outbound: [
    {
      scheduleActivity: (input, next) => next(withTrace(input)),
      continueAsNew: (input, next) => next(withTrace(input)),
    },
  ],
})
