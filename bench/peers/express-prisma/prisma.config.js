export default { schema: 'prisma/schema.prisma' };
