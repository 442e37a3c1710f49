// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {PoolPledges} from "./PoolPledges.sol";
import {PoolShares} from "./PoolShares.sol";
import {PoolVenue} from "./PoolVenue.sol";
import {PoolVenueBooks} from "./PoolVenueBooks.sol";

/// @title DepositPoolV2
/// @notice Deposits of agents at a common price: tokens in the pool and principal at its venue, per share.
contract DepositPoolV2 is PoolVenue {
    error AgentAssetCapExceeded(address agent, uint256 attempted, uint256 cap);

    string public constant name = "Service Agent Deposit Pool Share";
    string public constant symbol = "SVUSDC";
    uint256 public constant TOTAL_ASSET_CAP = 1_000_000_000;
    uint256 public constant PER_AGENT_ASSET_CAP = 100_000_000;
    /// @notice Always 0: the pool takes no fee.
    uint256 public constant earnedProtocolFees = 0;

    constructor(address asset_, address operator_, address venueAdapter_, address creditPool_)
        PoolShares(asset_, operator_, creditPool_)
        PoolPledges(creditPool_)
        PoolVenueBooks(venueAdapter_)
    {}

    /// @notice Takes an amount of the caller and gives shares, rounded down, to the receiver.
    function deposit(uint256 assets, address receiver) external nonReentrant returns (uint256 shares) {
        if (assets == 0) revert ZeroAmount();
        _requireReceiver(receiver);
        _requireTotalCap(assets);
        shares = convertToShares(assets);
        if (shares == 0) revert ZeroShares();
        _enterPool(assets, shares, receiver);
    }

    /// @notice Gives a number of shares and takes their value, rounded up.
    function mint(uint256 shares, address receiver) external nonReentrant returns (uint256 assets) {
        if (shares == 0) revert ZeroShares();
        _requireReceiver(receiver);
        uint256 supply = totalSupply;
        assets = supply == 0 ? shares : (shares * totalAssets() + supply - 1) / supply;
        if (assets == 0) revert ZeroAmount();
        _requireTotalCap(assets);
        _enterPool(assets, shares, receiver);
    }

    function _enterPool(uint256 assets, uint256 shares, address receiver) private {
        uint256 value = _valueAfter(receiver, assets, shares);
        if (value > PER_AGENT_ASSET_CAP) revert AgentAssetCapExceeded(receiver, value, PER_AGENT_ASSET_CAP);
        _mint(receiver, shares);
        uint256 balance = balanceOf[receiver];
        if (balance > maxIssuedAgentShares) maxIssuedAgentShares = balance;
        _pullExactly(assets);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function _requireReceiver(address receiver) private view {
        if (receiver == address(0)) revert ZeroAddress();
        if (receiver == address(this)) revert Unauthorized();
    }

    function _totalAssetCap() internal pure override returns (uint256) {
        return TOTAL_ASSET_CAP;
    }
}
