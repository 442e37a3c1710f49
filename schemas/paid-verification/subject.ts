import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const paidVerification = subject({
  name: 'paid-verification',
  buildsOn: ['catalogue', 'chain', 'http', 'identity', 'outbound', 'receipts', 'sandbox'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
