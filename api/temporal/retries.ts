import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js'
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'

type Call = ReturnType<Parameters<Interceptor>[1]>

/** A try that is never made: it ends as cancelled, which is not tried again. */
const cancelled = (call: Call): Call =>
  new InterceptingCall(call, {
    start: (_metadata, listener) => {
      // The retries pass on the message that they have got last before the status.
      listener.onReceiveMessage(null)
      listener.onReceiveStatus({ code: status.CANCELLED, details: 'the call was aborted', metadata: new Metadata() })
    },
  })

const ending = (call: Call, signal: AbortSignal): Call => {
  signal.addEventListener('abort', () => call.cancelWithStatus(status.CANCELLED, 'the call was aborted'), { once: true })
  return call
}

/**
 * The retries of Temporal's client, which end with the signal of their call. Left to itself the client cancels the first try alone: a
 * call that was aborted while its engine was away would be carried out up to some twenty seconds later, when the engine is back.
 *
 * @param signalOf the signal of the call that is being made, asked once per call
 */
export const retriesUntilAborted = (signalOf: () => AbortSignal | undefined): Interceptor => {
  const retry = makeGrpcRetryInterceptor(defaultGrpcRetryOptions())
  return (options, makeCall) => {
    const signal = signalOf()
    if (signal === undefined) return retry(options, makeCall)
    return retry(options, (each) => (signal.aborted ? cancelled(makeCall(each)) : ending(makeCall(each), signal)))
  }
}
