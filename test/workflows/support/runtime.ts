import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'

// Once for a process, however many engines it starts.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
})
