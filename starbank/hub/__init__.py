"""Datasets for the Hugging Face Hub: a folder of Parquet, licences and a card."""

from starbank.hub.publish import publish
from starbank.hub.push import push

__all__ = ["publish", "push"]
