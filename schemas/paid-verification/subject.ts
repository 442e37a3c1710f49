import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const paidVerification = subject({
  name: 'paid-verification',
  buildsOn: ['chain'],
  operations: () => import('./operations.ts'),
  settings,
})
