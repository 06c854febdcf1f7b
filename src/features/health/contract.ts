export { measureRequests } from './metrics-route';
