export { readSettings, type Settings } from '../shared/contracts/cloud/environment-settings.ts';
