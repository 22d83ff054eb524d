export const instanceId = '11111111-1111-4111-8111-111111111111';
export const customerId = '22222222-2222-4222-8222-222222222222';
export const identityId = '33333333-3333-4333-8333-333333333333';
export const proxyKey = 'proxy-key-of-the-instance';
export const messageSecret = 'secret-between-the-two';
export const accessToken = 'EAAG-token-of-the-channel';
export const phoneNumberId = '106540352242922';
export const vpnIp = '10.64.0.2';
