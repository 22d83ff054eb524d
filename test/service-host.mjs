// Runtimes that stand for containers find the service by its name there, as Docker or a cluster would let them.
import dns from 'node:dns';

const { lookup } = dns;
dns.lookup = (host, ...more) => lookup(host === 'service.test' ? '127.0.0.1' : host, ...more);
