import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js'
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'

type Call = ReturnType<Parameters<Interceptor>[1]>

/** Cancels a call before it starts; a cancelled call is not retried. */
const cancelCall = (call: Call): Call =>
  new InterceptingCall(call, {
    start: (_metadata, listener) => {
      // The retry interceptor forwards its last message before the status.
      listener.onReceiveMessage(null)
      listener.onReceiveStatus({ code: status.CANCELLED, details: 'the call was aborted', metadata: new Metadata() })
    },
  })

const cancelOnAbort = (call: Call, signal: AbortSignal): Call => {
  signal.addEventListener('abort', () => call.cancelWithStatus(status.CANCELLED, 'the call was aborted'), { once: true })
  return call
}

/**
 * Retries of the Temporal client that end with the abort signal of their call. By itself the client cancels only the first attempt, so an
 * aborted call could still run up to twenty seconds later, when the server answers again.
 *
 * @param signalOf returns the abort signal of the current call
 */
export const retriesUntilAborted = (signalOf: () => AbortSignal | undefined): Interceptor => {
  const retry = makeGrpcRetryInterceptor(defaultGrpcRetryOptions())
  return (options, makeCall) => {
    const signal = signalOf()
    if (signal === undefined) return retry(options, makeCall)
    return retry(options, (each) => (signal.aborted ? cancelCall(makeCall(each)) : cancelOnAbort(makeCall(each), signal)))
  }
}
