# The service with the Node.js that the lockfile pins; the base brings npm to fetch it, and CA certificates.
# docs/operate.md "In a container" says how it is run.
FROM node:24-trixie-slim

WORKDIR /opt/mdk
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .

# `node` is the base's ordinary user.
RUN install -d -o node -g node /var/lib/mdk
USER node
ENV MDK_DATA_DIR=/var/lib/mdk MDK_HOST=0.0.0.0 MDK_OPS_HOST=0.0.0.0 MDK_SMTP_HOST=0.0.0.0
VOLUME /var/lib/mdk
EXPOSE 8080 8081 8082 9464 2525

ENTRYPOINT ["bin/mdk"]
CMD ["serve"]
